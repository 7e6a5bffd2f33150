import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { watchConnection } from './frame/connection.js';
import { onSessionChange, sessionKey } from './frame/session.js';
import { frameTexts } from './frame/texts.js';
import { router } from './router.js';

const place = document.getElementById('panel');
if (place === null) throw new Error('The page has no place for the panel');

watchConnection();
// A session that began, ended or became complete shows other screens.
let known = sessionKey();
onSessionChange(() => {
  const key = sessionKey();
  if (key === known) return;
  known = key;
  void router.invalidate();
});
await frameTexts.load();
createRoot(place).render(<RouterProvider router={router} />);
