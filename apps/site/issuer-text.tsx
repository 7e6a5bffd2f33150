import type { Locale } from './page.js';

/** An issuer's text in Portuguese: usual terms are shown in the language of the page, anything else as it is, marked as Portuguese. */
export function IssuerText({ locale, children }: { readonly locale: Locale; readonly children: string }) {
  if (locale.code === 'pt-BR') return children;
  const known = locale.text.issuerWords(children);
  return known ?? <span lang="pt-BR">{children}</span>;
}

/** Returns the same for places that hold only text, such as a title in a calendar. */
export function issuerText(locale: Locale, written: string): string {
  return locale.text.issuerWords(written) ?? written;
}
