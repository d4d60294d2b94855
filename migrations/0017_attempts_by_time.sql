-- Hand-overs that did not succeed, in the order of their moments, for who watches: posthorn tail. Each costs an entry, and few mails have one.

create index attempts_by_time on attempts (at);
