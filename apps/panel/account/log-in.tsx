import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button, SelectInput, TextInput } from '../../design/controls/controls.js';
import { FailureError } from '../frame/failure.js';
import { Form, PageHead, textOf } from '../frame/parts.js';
import { logIn, logInByPasskey, type FirstFactor, logOut, useSession } from '../frame/session.js';
import { site } from '../frame/site.js';
import { useAction } from '../frame/use-graph.js';
import { earlyLogIn, type EarlyLogIn } from './early-log-in.js';
import { accountTexts } from '../texts.js';
import { ProofForm } from '../frame/proof-form.js';
import { graph } from './graph.js';

type Kind = 'account' | 'operator' | 'trader';

/** Who logs in at this address: operators have one of their own where the server says so. */
const kinds: readonly Kind[] =
  site === 'operators' ? ['operator'] : site === 'public' ? ['account', 'trader'] : ['account', 'operator', 'trader'];

/** Logs somebody in. The routes show the next screen once the session is there. */
export function LogIn() {
  const { logIn: text } = accountTexts.get();
  const [early] = useState(earlyLogIn);
  const [kind, setKind] = useState<Kind>(() => kindOf(early?.values.get('kind')));
  const action = useAction();
  const router = useRouter();
  const enter = (how: () => Promise<unknown>) => {
    void action.run(async () => {
      await how();
      await router.invalidate();
    });
  };
  const logInWith = (values: FormData) => {
    enter(() => logIn(firstFactorOf(kind, values)).catch(asWrong(kind)));
  };
  useEffect(() => {
    if (early?.focused !== undefined) focusOn(early.focused);
    if (early?.sent === 'passkey') enter(logInByPasskey);
    // It has only the fields of the first kind.
    if (early?.sent === 'form' && kind === kinds[0]) logInWith(early.values);
    // What was done before this screen was there is done once.
  }, []);
  return (
    <>
      <PageHead title={text.title} />
      <Form action={action} fields={[]} onSubmit={logInWith}>
        {kinds.length === 1 ? null : (
          <SelectInput
            name="kind"
            label={text.as}
            value={kind}
            options={kinds.map((value) => ({ value, text: text.kinds[value] }))}
            onChange={(value) => {
              setKind(value);
              action.clear();
            }}
          />
        )}
        <Fields kind={kind} early={early} />
        <Button kind="main" type="submit" isBusy={action.isBusy}>
          {text.submit}
        </Button>
        {kind === 'account' ? (
          <Button isBusy={action.isBusy} onPress={() => enter(logInByPasskey)}>
            {text.passkey}
          </Button>
        ) : null}
      </Form>
      {kind === 'account' ? (
        <p className="row spread">
          <Link to="/cadastro">{text.register}</Link>
          <Link to="/esqueci-a-senha">{text.forgotten}</Link>
        </p>
      ) : null}
    </>
  );
}

function firstFactorOf(kind: Kind, values: FormData): FirstFactor {
  if (kind === 'operator') return { operatorKey: textOf(values, 'operatorKey').trim() };
  if (kind === 'trader')
    return { apiKey: textOf(values, 'apiKey').trim(), secretKey: textOf(values, 'secretKey').trim() };
  return { email: textOf(values, 'email'), password: textOf(values, 'password') };
}

/** Says that what was typed is wrong, where the general sentence would say that a session has ended. */
function asWrong(kind: Kind): (error: unknown) => never {
  const { wrong, wrongKey } = accountTexts.get().logIn;
  return (error) => {
    if (error instanceof FailureError && error.failure.code === 'UNAUTHORIZED')
      throw new FailureError({ code: 'WRONG', message: '', said: kind === 'account' ? wrong : wrongKey, details: [] });
    throw error;
  };
}

function kindOf(value: unknown): Kind {
  return kinds.find((one) => one === value) ?? kinds[0] ?? 'account';
}

function focusOn(name: string): void {
  const field = document.querySelector(`main [name="${CSS.escape(name)}"]`);
  if (field instanceof HTMLElement) field.focus();
}

function Fields({ kind, early }: { readonly kind: Kind; readonly early: EarlyLogIn | undefined }) {
  const { email, password, logIn: text } = accountTexts.get();
  const typed = (name: string) => ({ defaultValue: early === undefined ? '' : textOf(early.values, name) });
  if (kind === 'operator')
    return (
      <TextInput
        key={kind}
        name="operatorKey"
        type="password"
        label={text.operatorKey}
        autoComplete="off"
        isRequired
        {...typed('operatorKey')}
      />
    );
  if (kind === 'trader')
    return (
      <>
        <TextInput name="apiKey" label={text.apiKey} autoComplete="off" isRequired />
        <TextInput name="secretKey" type="password" label={text.secretKey} autoComplete="off" isRequired />
      </>
    );
  return (
    <>
      <TextInput
        name="email"
        type="email"
        label={email}
        autoComplete="username webauthn"
        isRequired
        {...typed('email')}
      />
      <TextInput
        name="password"
        type="password"
        label={password}
        autoComplete="current-password"
        isRequired
        {...typed('password')}
      />
    </>
  );
}

/** Asks for the second factor of a session that has proved the first. */
export function SecondFactor() {
  const { secondFactor: text } = accountTexts.get();
  const router = useRouter();
  const session = useSession();
  return (
    <>
      <PageHead title={text.title} {...(session === null ? {} : { lead: text.leads[session.kind] })} />
      <ProofForm onDone={() => void router.invalidate()} onCancel={() => void logOut()} />
    </>
  );
}

/** Has a link mailed with which a new password can be set. */
export function ForgottenPassword() {
  const { email, forgotten: text } = accountTexts.get();
  const action = useAction();
  const [isSent, setSent] = useState(false);
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {isSent ? (
        <p className="notice good" role="status">
          {text.done}
        </p>
      ) : (
        <Form
          action={action}
          fields={['email']}
          onSubmit={(values) =>
            void action.run(() => graph.mutate('forgotPassword', { email: textOf(values, 'email') })).then(setSent)
          }
        >
          <TextInput name="email" type="email" label={email} autoComplete="username" maxLength={254} isRequired />
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {text.submit}
          </Button>
        </Form>
      )}
      <p>
        <Link to="/entrar">{text.back}</Link>
      </p>
    </>
  );
}
