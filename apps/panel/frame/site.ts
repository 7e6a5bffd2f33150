/** The site of this page where operators have one of their own: the public one, or theirs. Undefined where everyone logs in at one address. */
export const site = siteOf(document.querySelector<HTMLMetaElement>('meta[name="lastro-log-in"]')?.content);

export const house = {
  taxId: document.querySelector<HTMLMetaElement>('meta[name="lastro-tax-id"]')?.content,
  name: document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content ?? '',
  mark: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '',
};

function siteOf(name: string | undefined): 'public' | 'operators' | undefined {
  return name === 'public' || name === 'operators' ? name : undefined;
}
