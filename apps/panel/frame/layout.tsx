import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useContext, useEffect, useRef, useState } from 'react';
import { ThemeLinks } from '../../design/basics.js';
import { Button } from '../../design/controls/controls.js';
import { areas, pagesOf } from '../areas.js';
import { WaitingContext, useWaiting } from '../home/waiting.js';
import { counted, language } from './language.js';
import { loadPart } from './load-part.js';
import { logOut, useSession, readSession, serverNow, touchSession } from './session.js';
import { house, site } from './site.js';
import { frameTexts } from './texts.js';
import { useAction } from './use-graph.js';

export function Layout() {
  const text = frameTexts.get();
  const [isOpen, setOpen] = useState(false);
  const href = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => setOpen(false), [href]);
  const menu = useRef<HTMLSpanElement>(null);
  useEscape(isOpen, () => {
    setOpen(false);
    // The focus may have been on a link that is hidden now.
    menu.current?.querySelector('button')?.focus();
  });
  const waiting = useWaiting();
  return (
    <WaitingContext.Provider value={waiting}>
      <a className="skip" href="#content">
        {text.skip}
      </a>
      <header className="top">
        <div className="wrap">
          <Link className="brand" to="/">
            <img src={house.mark} alt="" width={26} height={26} />
            <span className="house">{house.name}</span>
          </Link>
          <span className="menu" ref={menu}>
            <Button expands={isOpen} onPress={() => setOpen(!isOpen)}>
              {text.menu}
            </Button>
          </span>
          <Find />
          <Account href={href} />
        </div>
      </header>
      <div className="wrap frame">
        <nav className={isOpen ? 'side open' : 'side'} aria-label={text.navLabel}>
          <Pages />
          <ServiceStatus />
          <ThemeLinks texts={text.theme} />
        </nav>
        <main id="content" tabIndex={-1}>
          <IdleBanner />
          <Outlet />
        </main>
      </div>
    </WaitingContext.Provider>
  );
}

/** The search over everything, by a button and by Ctrl-K or ⌘K. Its script is loaded when it is first opened. */
function Find() {
  const { find } = frameTexts.get();
  const session = useSession();
  const action = useAction();
  const [isOpen, setOpen] = useState(false);
  const [part, setPart] = useState<typeof import('../home/palette.js')>();
  const open = () => {
    setOpen(true);
    void action.run(async () => {
      setPart(await loadPart(() => import('../home/palette.js')));
    });
  };
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // Another page would drop what was typed into a dialog, or a secret that it shows once.
      if (document.querySelector('[role=dialog]') === null) latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (session?.due !== null) return null;
  return (
    <>
      <Button isBusy={action.isBusy} onPress={open}>
        {find.title} <kbd className="wide-only">{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      {isOpen && part !== undefined ? <part.Palette session={session} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function useEscape(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') latest.current();
    };
    // Before the controls, which keep keys from going further.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen]);
}

function Pages() {
  const session = useSession();
  const { areas: texts, start } = frameTexts.get();
  if (session === null) return null;
  return (
    <>
      <ul>
        <li>
          <Link to="/" activeOptions={{ exact: true }}>
            {start}
          </Link>
        </li>
      </ul>
      {areas
        .filter(({ appliesTo }) => appliesTo(session))
        .map((area) => (
          <div key={area.title(texts)}>
            <p>{area.title(texts)}</p>
            <ul>
              {pagesOf(area, session).map(({ to, text }) => (
                <li key={to}>
                  <Link to={to}>{text(texts)}</Link>
                  <Count page={to} />
                </li>
              ))}
            </ul>
          </div>
        ))}
    </>
  );
}

function ServiceStatus() {
  const { works } = useContext(WaitingContext);
  const { service } = frameTexts.get();
  if (works === undefined) return null;
  return (
    <a className={`service ${works ? 'good' : 'warn'}`} href={`${language.prefix}/status`}>
      {works ? service.works : service.troubled}
    </a>
  );
}

function Count({ page }: { readonly page: string }) {
  const { found } = useContext(WaitingContext);
  const { waiting } = frameTexts.get();
  const items = found
    .flatMap(({ view }) => view?.items ?? [])
    .filter((item) => `${item.page ?? ''}/`.startsWith(`${page}/`));
  const count = items.reduce((sum, item) => sum + item.count, 0);
  const hasMore = items.some((item) => item.hasMore);
  if (count === 0) return null;
  const tone = (['bad', 'warn'] as const).find((one) => items.some((item) => item.tone === one && item.count > 0));
  return (
    <span className={`count ${tone ?? ''}`}>
      {counted(count, hasMore)} <span className="visually-hidden">{waiting}</span>
    </span>
  );
}

function Account({ href }: { readonly href: string }) {
  const text = frameTexts.get();
  const session = useSession();
  const router = useRouter();
  const action = useAction();
  return (
    <div className="end row">
      {site === 'operators' ? null : (
        <a className="wide-only" href={language.prefix === '' ? '/' : language.prefix}>
          {text.publicPages}
        </a>
      )}
      <a href={`${language.other.base}${href}`} lang={language.other.code}>
        {language.other.name}
      </a>
      <span className="muted wide-only">{session?.email ?? session?.name}</span>
      <Button
        isBusy={action.isBusy}
        onPress={() => {
          void action.run(async () => {
            await logOut();
            await router.navigate({ to: '/entrar' });
          });
        }}
      >
        {text.logOut}
      </Button>
    </div>
  );
}

const warnMs = 120_000;

/** How often the server is asked while it is announced: what prolongs a session is stored some seconds later. */
const askedEveryMs = 10_000;

/** Says that the session is about to end, and finds out when it has. Requests of other tabs prolong it too, so it asks the server before it says so. */
function IdleBanner() {
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
          .finally(() => setAsked(asked + 1));
      },
      leftMs > warnMs ? leftMs - warnMs : Math.max(Math.min(leftMs + 1_000, askedEveryMs), 1_000),
    );
    return () => clearTimeout(timer);
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
