import { useEffect, useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { language } from './language.js';
import { readSession, serverNow, touchSession, useSession } from './session.js';
import { frameTexts } from './texts.js';
import { useAction } from './use-graph.js';

/** How long before its end a session is announced to end. */
const warnMs = 120_000;

/** How often the server is asked while it is announced: what prolongs a session is stored some seconds later. */
const askedEveryMs = 10_000;

/** Says that the session is about to end, and finds out when it has. Requests of other tabs prolong it too, so it asks the server before it says so. */
export function IdleBanner() {
  const session = useSession();
  const text = frameTexts.get();
  const action = useAction();
  const [isNear, setNear] = useState(false);
  const endsAt = session === null ? undefined : Math.min(Date.parse(session.idleEndsAt), Date.parse(session.endsAt));
  // Counts the times that the server was asked: what it says may be the same as before.
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (endsAt === undefined) return;
    const leftMs = endsAt - serverNow();
    setNear(leftMs <= warnMs);
    const timer = setTimeout(
      () => {
        // Where there is no response, the banner of the connection says so.
        readSession()
          .catch(() => undefined)
          .finally(() => {
            setAsked(asked + 1);
          });
      },
      leftMs > warnMs ? leftMs - warnMs : Math.max(Math.min(leftMs + 1_000, askedEveryMs), 1_000),
    );
    return () => {
      clearTimeout(timer);
    };
  }, [endsAt, asked]);
  if (!isNear || endsAt === undefined) return null;
  const time = new Date(endsAt).toLocaleTimeString(language.code, { hour: '2-digit', minute: '2-digit' });
  return (
    <div className="notice row" role="status">
      <span>{text.idle.text(time)}</span>
      <Button isBusy={action.isBusy} onPress={() => void action.run(touchSession)}>
        {text.idle.stay}
      </Button>
    </div>
  );
}
