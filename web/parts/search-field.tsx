// The field for the words that a list is narrowed to.
import { useEffect, useRef } from "react";

type SearchFieldProps = {
  readonly name: string;
  readonly value: string | undefined;
  readonly onChange: (search: string | undefined) => void;
};

export function SearchField({ name, value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A saved view brings words of its own.
    if (field.current && document.activeElement !== field.current) field.current.value = value ?? "";
  }, [value]);
  return (
    <input
      ref={field}
      type="search"
      className="input"
      aria-label={name}
      placeholder={name}
      defaultValue={value}
      onChange={({ target }) => onChange(target.value.trim() || undefined)}
    />
  );
}
