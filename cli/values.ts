/** What is no whole number stays text, which the graph then refuses by its name. */
export function whole(text: string | undefined): number | string | undefined {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : text;
}

/** `none` is null, and what is not said is left out. Of what is no number the graph says so. */
export function orNone<T>(text: string | undefined, read: (text: string) => T): T | null | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? null : read(text);
}

/** What was said, without the rest. */
export function said(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The items of a list with commas. */
export function listOf(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}
