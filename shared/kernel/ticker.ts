const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

/** Whether a text can be a ticker or a slug; other texts need no query. */
export function canBeTicker(text: string): boolean {
  return form.test(text);
}
