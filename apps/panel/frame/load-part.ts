import { askNow } from './connection.js';

/** Why a part of the program could not be loaded: the server is away, or it has no such script, also after the page was loaded again. */
export class PartError extends Error {
  constructor(
    readonly reason: 'NO_RESPONSE' | 'MISSING',
    cause: unknown,
  ) {
    super(`A part of the program could not be loaded: ${reason}`, { cause });
  }
}

const key = 'lastro-reloaded-for';

/** Loads a part of the panel. If the server is ready and the part is missing, the page is of an older version and is reloaded, once per version and address. @throws {PartError} */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!(await askNow())) throw new PartError('NO_RESPONSE', error);
    const place = `${versionOfPage()} ${location.pathname}`;
    if (sessionStorage.getItem(key) === place) throw new PartError('MISSING', error);
    sessionStorage.setItem(key, place);
    location.reload();
    // Nothing more is shown until the new page is there.
    return new Promise<never>(() => undefined);
  }
}

/** Returns the address of the first script, which has another hash with each version of the program. */
function versionOfPage(): string {
  return document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '';
}
