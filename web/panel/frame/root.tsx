import {
  createRootRoute,
  createRoute,
  Link,
  Outlet,
  redirect,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { I18nProvider } from 'react-aria-components';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { askNow, useIsDown } from './connection.js';
import { FailureError } from './failure.js';
import { language } from './language.js';
import { Layout } from './layout.js';
import { FailureNotice } from './parts.js';
import { ProofForm } from './proof-form.js';
import { knownSession } from './session.js';
import { useStepUpRequest } from './step-up-request.js';
import { frameTexts } from './texts.js';

/** The root of every screen. */
export const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: Crashed });

/** Screens of somebody who is logged in. */
export const insideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    const session = await knownSession();
    if (session === null) throw redirect({ to: '/entrar', search: { next: location.href } });
    if (session.due === 'SECOND_FACTOR') throw redirect({ to: '/confirmar', search: { next: location.href } });
    if (session.due === 'ENROLMENT' && location.pathname !== '/conta/seguranca')
      throw redirect({ to: '/conta/seguranca' });
    return { session };
  },
  component: Layout,
  errorComponent: Crashed,
});

/** Screens of somebody who is not. */
export const outsideRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'outside',
  component: Outside,
  errorComponent: Crashed,
});

function Root() {
  return (
    <I18nProvider locale={language.code === 'en' ? 'en-US' : language.code}>
      <DownBanner />
      <Outlet />
      <StepUpDialog />
    </I18nProvider>
  );
}

function Outside() {
  const text = frameTexts.get();
  return (
    <>
      <header className="top">
        <div className="wrap">
          <a className="brand" href={language.prefix === '' ? '/' : language.prefix}>
            {text.site}
          </a>
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

/** Says that the server does not respond, until it does. */
function DownBanner() {
  const { down, retry } = frameTexts.get();
  if (!useIsDown()) return null;
  return (
    <div className="banner" role="status">
      <span>
        {down.text} {down.again}
      </span>
      <Button onPress={askNow}>{retry}</Button>
    </div>
  );
}

function StepUpDialog() {
  const pending = useStepUpRequest();
  const { stepUp } = frameTexts.get();
  const close = () => {
    pending?.settle(false);
  };
  return (
    <Dialog title={stepUp.title} isOpen={pending !== undefined} onClose={close}>
      <p className="muted">{stepUp.text}</p>
      <ProofForm
        onDone={() => {
          pending?.settle(true);
        }}
        onCancel={close}
      />
    </Dialog>
  );
}

/** Stands in for a screen that failed, so that no page is ever white. */
function Crashed({ error, reset }: ErrorComponentProps) {
  const text = frameTexts.get();
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  if (error instanceof FailureError)
    return (
      <main className="crashed">
        <FailureNotice failure={error.failure} onRetry={again} />
      </main>
    );
  return (
    <main className="crashed">
      <div className="notice bad" role="alert">
        <p>{text.crashed}</p>
        <p>
          <Button onPress={again}>{text.retry}</Button>
        </p>
      </div>
    </main>
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
