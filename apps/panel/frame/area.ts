import type { BrowserSession } from './session.js';
import type { Messages } from './messages/pt-BR.js';

/** A part of the panel for one kind of user: a folder with routes, documents and texts. */
export interface Area {
  /** Whether somebody may see it. It only hides pages: what a caller may do, the graph decides. */
  readonly appliesTo: (session: BrowserSession) => boolean;
  readonly title: (texts: Messages['areas']) => string;
  readonly pages: readonly AreaPage[];
}

export interface AreaPage {
  /** The path of its route. */
  readonly to: string;
  readonly text: (texts: Messages['areas']) => string;
  /** Whether somebody who may see the area may see the page; everyone where it is absent. */
  readonly appliesTo?: Area['appliesTo'];
}

/** Returns the pages of an area that somebody may see. */
export function pagesOf({ pages }: Area, session: BrowserSession): readonly AreaPage[] {
  return pages.filter(({ appliesTo }) => appliesTo?.(session) !== false);
}
