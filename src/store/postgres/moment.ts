// A function of PostgreSQL that reads times in data.

/**
 * `momentOf` (moments.ts). The common forms are read without a pattern, which takes several times as long, and a
 * hundred times where it captures. The function calculates 2,000 years later, five times the span after which the
 * calendar repeats, as PostgreSQL has no year 0.
 */
export const MOMENT_OF = String.raw`
  create or replace function moment_of(words text) returns text language plpgsql immutable strict parallel safe as $$
  declare form text := translate(words, '123456789', '000000000');
  begin
    if form = '0000-00-00T00:00:00.000Z' and substr(words, 6, 2) between '01' and '12' and substr(words, 9, 2) between '01' and '28'
      and substr(words, 12, 2) < '24' and substr(words, 15, 1) < '6' and substr(words, 18, 1) < '6'
      then return left(words, 23); end if;
    if form = '0000-00-00' and substr(words, 6, 2) between '01' and '12' and substr(words, 9, 2) between '01' and '28'
      then return words || 'T00:00:00.000'; end if;
    if left(form, 5) <> '0000-' then return null; end if;
    if words !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([Tt ]([01][0-9]|2[0-4]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,9})?)?([Zz]|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)?)?$'
      then return null; end if;
    declare
      day date := make_date(left(words, 4)::integer + 2000, substr(words, 6, 2)::integer, 1) + substr(words, 9, 2)::integer - 1;
      clock text := coalesce(nullif(substr(words, 12, 5), ''), '00:00');
      seconds text := case when substr(words, 17, 1) = ':' then substr(words, 18, 2) else '00' end;
      behind text := substr(words, case when substr(words, 17, 1) = ':' then 20 else 17 end);
      zone text := ltrim(behind, '.,0123456789');
      fraction text := rtrim(substr(behind, 2, greatest(0, length(behind) - length(zone) - 1)), '0');
      ahead text := case when zone in ('', 'Z', 'z') then '+0000' else rpad(replace(zone, ':', ''), 5, '0') end;
      moment timestamp;
    begin
      if extract(month from day) <> substr(words, 6, 2)::integer then return null; end if;
      if clock >= '24' and (clock <> '24:00' or seconds <> '00' or fraction <> '') then return null; end if;
      moment := day + make_interval(hours => left(clock, 2)::integer, mins => right(clock, 2)::integer, secs => seconds::integer)
        - make_interval(hours => left(ahead, 3)::integer, mins => (left(ahead, 1) || right(ahead, 2))::integer);
      if moment < '2000-01-01' or moment >= '12000-01-01' then return null; end if;
      return lpad((extract(year from moment) - 2000)::integer::text, 4, '0') || to_char(moment, '-MM-DD"T"HH24:MI:SS.')
        || rpad(fraction, greatest(3, length(fraction)), '0');
    end;
  end $$;
`;
