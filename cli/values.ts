/** Parses a whole number. Any other text stays text; the graph then refuses it with an error that names the field. */
export function whole(text: string | undefined): number | string | undefined {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : text;
}

/** Reads an option for which `none` means null; an absent option stays undefined. The graph reports what is not a number. */
export function orNone<T>(text: string | undefined, read: (text: string) => T): T | null | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? null : read(text);
}

/** Returns only the values that were given. */
export function said(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Splits a comma-separated list. */
export function listOf(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}
