import { createRootRoute, createRoute, Link, Outlet, redirect } from '@tanstack/react-router';
import { useEffect } from 'react';
import { I18nProvider } from 'react-aria-components';
import { Brand } from '../../design/basics.js';
import { Button, Dialog } from '../../design/controls/controls.js';
import { askNow, useIsDown } from './connection.js';
import { CrashedPage } from './crashed.js';
import { language } from './language.js';
import { Layout } from './layout.js';
import { ProofForm } from './proof-form.js';
import { knownSession } from './session.js';
import { house } from './site.js';
import { useStepUpRequest } from './graph.js';
import { frameTexts } from './texts.js';

export const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: CrashedPage });

export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await knownSession();
    if (session === null) throw redirect({ to: '/entrar', search: { next: location.href } });
    if (session.due === 'SECOND_FACTOR') throw redirect({ to: '/confirmar', search: { next: location.href } });
    if (session.due === 'ENROLMENT' && location.pathname !== '/conta/seguranca')
      throw redirect({ to: '/conta/seguranca', search: { next: location.href } });
    return { session };
  },
  component: Layout,
  errorComponent: CrashedPage,
});

/** Screens for visitors without a session. */
export const outsideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'outside',
  component: Outside,
  errorComponent: CrashedPage,
});

function Root() {
  useKeptFocus();
  return (
    <I18nProvider locale={language.code === 'en' ? 'en-US' : language.code}>
      <DownBanner />
      <Outlet />
      <StepUpDialog />
    </I18nProvider>
  );
}

/**
 * Gives the focus a place when what had it is gone: what had it last, the note of what was done, or the heading. Only the note is scrolled to: the
 * reader of a list that is read again may be elsewhere.
 */
function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    let onPage: HTMLElement | undefined;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      if (target.closest('main') !== null) onPage = target;
    };
    const give = () => {
      const note = document.querySelector<HTMLElement>('main .note:not(:empty)');
      for (const place of [onPage, note, document.querySelector('h1')])
        if (document.activeElement === document.body) place?.focus({ preventScroll: place !== note });
    };
    const observer = new MutationObserver(() => {
      // Behind the frame in which a dialog gives it back itself; again where the page was still inert then.
      if (last?.isConnected === false) requestAnimationFrame(() => requestAnimationFrame(give));
    });
    addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['inert'] });
    return () => {
      removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
}

function Outside() {
  return (
    <>
      <header className="top">
        <div className="wrap">
          <Brand href={language.prefix === '' ? '/' : language.prefix} {...house} />
          <a
            className="end"
            href={location.pathname.replace(language.base, language.other.base)}
            lang={language.other.code}
          >
            {language.other.name}
          </a>
        </div>
      </header>
      <main id="content" className="narrow card">
        <Outlet />
      </main>
    </>
  );
}

function DownBanner() {
  const { down, retry } = frameTexts.get();
  if (!useIsDown()) return null;
  return (
    <div className="banner" role="status">
      <span>
        {down.text} {down.again}
      </span>
      <Button onPress={() => void askNow()}>{retry}</Button>
    </div>
  );
}

function StepUpDialog() {
  const pending = useStepUpRequest();
  const { stepUp } = frameTexts.get();
  const close = () => pending?.settle(false);
  return (
    <Dialog title={stepUp.title} isOpen={pending !== undefined} onClose={close}>
      <p className="muted">{stepUp.text}</p>
      <ProofForm onDone={() => pending?.settle(true)} onCancel={close} />
    </Dialog>
  );
}

function NotFound() {
  const text = frameTexts.get();
  return (
    <main className="crashed">
      <h1>{text.notFound}</h1>
      <p>
        <Link to="/">{text.home}</Link>
      </p>
    </main>
  );
}
