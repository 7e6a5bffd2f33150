import { redirect } from '@tanstack/react-router';
import { pagesOf, type Area } from './area.js';
import type { BrowserSession } from './session.js';

interface Entry {
  readonly context: { readonly session: BrowserSession };
}

/** Leads from the bare address of an area to its first page that the session may see, and to the start of the panel where the area is not for it. */
export function toFirstPage(area: Area): (entry: Entry) => never {
  return ({ context: { session } }) => {
    const page = area.appliesTo(session) ? pagesOf(area, session)[0] : undefined;
    throw redirect({ to: page?.to ?? '/' });
  };
}
