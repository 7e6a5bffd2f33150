import { RouterProvider, createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { isEarly, takeEarlyLogIn } from './account/early-log-in.js';
import { watchConnection, whenUp } from './frame/connection.js';
import { PartError } from './frame/load-part.js';
import { onSessionChange, readSession, sessionKey } from './frame/session.js';
import { frameTexts } from './frame/texts.js';
import { Crashed } from './frame/crashed.js';
import { language } from './frame/language.js';
import { insideRoute, outsideRoute, rootRoute } from './frame/root.js';
import { entryRoutes, insideRoutes } from './routes.js';

const router = createRouter({
  basepath: language.base,
  // Values are texts as they stand, not JSON: `?status=4` stays so, and digits of any length are kept.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  routeTree: rootRoute.addChildren([outsideRoute.addChildren(entryRoutes), insideRoute.addChildren(insideRoutes)]),
  // Catches errors of a single screen; the routes of the frame have one for the whole page.
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
  defaultPreload: false,
  defaultPendingMs: 300,
});

const place = document.getElementById('panel');
if (place === null) throw new Error('The page has no place for the panel');

watchConnection();
// The first screen depends on the session, which is read while the texts load. The route that reads the session again shows an error.
readSession().catch(() => undefined);
await loadTexts();
// A session that began, ended or became complete shows other screens.
let known = sessionKey();
onSessionChange(() => {
  const key = sessionKey();
  if (key === known) return;
  known = key;
  void router.invalidate();
});
// The log-in that the page came with stays until the panel's own can take its place at once, with what was typed.
if (isEarly()) await router.load();
takeEarlyLogIn();
flushSync(() => createRoot(place).render(<RouterProvider router={router} />));

/** Loads the texts of the frame; where the server is away, once it is back. */
async function loadTexts(): Promise<void> {
  try {
    await frameTexts.load();
  } catch (error) {
    if (!(error instanceof PartError) || error.reason !== 'NO_RESPONSE') throw error;
    await whenUp();
    await loadTexts();
  }
}
