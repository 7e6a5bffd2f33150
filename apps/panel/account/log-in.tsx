import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button, TextInput } from '../../design/controls/controls.js';
import { FailureError, accepted } from '../frame/failure.js';
import { Form, PageHead, textOf, FailureNotice } from '../frame/parts.js';
import { logIn, logInByPasskey, type FirstFactor, logOut, useSession } from '../frame/session.js';
import { language } from '../frame/language.js';
import { site } from '../frame/site.js';
import { useAction } from '../frame/use-graph.js';
import { earlyLogIn } from './early-log-in.js';
import { accountTexts } from '../texts.js';
import { ProofForm } from '../frame/proof-form.js';
import { graph } from './graph/operations.js';

type Kind = 'account' | 'operator' | 'trader';

const isForOperators = site === 'operators';

/** Returns the kind of login from the typed text: keys have a prefix. */
function kindOf(typed: string): Kind {
  if (isForOperators || typed.startsWith('svc_op_')) return 'operator';
  return typed.startsWith('svc_trd_') ? 'trader' : 'account';
}

/** Logs somebody in. The routes show the next screen once the session is there. */
export function LogIn() {
  const { password, logIn: text } = accountTexts.get();
  const [early] = useState(earlyLogIn);
  const typedEarly = (name: string) => (early === undefined ? '' : textOf(early.values, name));
  const [typed, setTyped] = useState(typedEarly('email'));
  const kind = kindOf(typed.trim());
  const action = useAction();
  const router = useRouter();
  const enter = (how: () => Promise<unknown>) => {
    void action.run(async () => {
      await how();
      await router.invalidate();
    });
  };
  const logInWith = (values: FormData) => {
    enter(() => logIn(firstFactorOf(values)).catch(asWrong(kind)));
  };
  useEffect(() => {
    if (early?.focused !== undefined) focusOn(early.focused);
    if (early?.sent === 'passkey') enter(logInByPasskey);
    if (early?.sent === 'form') logInWith(early.values);
    // Replays a log-in that began before this component was mounted, once.
  }, []);
  return (
    <>
      <PageHead title={text.title} />
      <Form action={action} fields={[]} onSubmit={logInWith}>
        <TextInput
          name="email"
          type={kind === 'operator' ? 'password' : 'text'}
          inputMode="email"
          label={isForOperators ? text.operatorKey : text.emailOrKey}
          autoComplete={isForOperators ? 'off' : 'username webauthn'}
          isRequired
          value={typed}
          onChange={setTyped}
        />
        {kind === 'operator' ? null : (
          <TextInput
            name="password"
            type="password"
            label={kind === 'trader' ? text.secretKey : password}
            autoComplete={kind === 'trader' ? 'off' : 'current-password'}
            isRequired
            defaultValue={typedEarly('password')}
          />
        )}
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

function firstFactorOf(values: FormData): FirstFactor {
  const [typed, secret] = [textOf(values, 'email').trim(), textOf(values, 'password')];
  const kind = kindOf(typed);
  if (kind === 'operator') return { operatorKey: typed };
  return kind === 'trader' ? { apiKey: typed, secretKey: secret.trim() } : { email: typed, password: secret };
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

function focusOn(name: string): void {
  const field = document.querySelector(`main [name="${CSS.escape(name)}"]`);
  if (field instanceof HTMLElement) field.focus();
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

export function Register() {
  const texts = accountTexts.get();
  const { register: text } = texts;
  const action = useAction();
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) return <Sent email={sentTo} />;
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <Form
        action={action}
        fields={['name', 'company', 'email', 'password']}
        onSubmit={(values) => {
          const [name, company] = [textOf(values, 'name'), textOf(values, 'company')];
          const [email, password] = [textOf(values, 'email'), textOf(values, 'password')];
          void action.run(async () => {
            const { registerResult } = await graph.mutate('register', {
              name,
              company,
              email,
              password,
              language: language.graph,
            });
            accepted(registerResult);
            setSentTo(email);
          });
        }}
      >
        <TextInput name="name" label={text.name} autoComplete="name" maxLength={200} isRequired />
        <TextInput name="company" label={text.company} autoComplete="organization" maxLength={200} isRequired />
        <TextInput name="email" type="email" label={texts.email} autoComplete="username" maxLength={254} isRequired />
        <TextInput
          name="password"
          type="password"
          label={texts.password}
          hint={text.passwordHint}
          autoComplete="new-password"
          minLength={8}
          maxLength={128}
          isRequired
        />
        <Button kind="main" type="submit" isBusy={action.isBusy}>
          {text.submit}
        </Button>
      </Form>
      <p>
        <Link to="/entrar">{text.have}</Link>
      </p>
    </>
  );
}

function Sent({ email }: { readonly email: string }) {
  const { register: text } = accountTexts.get();
  const action = useAction();
  const [isSent, setSent] = useState(false);
  return (
    <>
      <PageHead title={text.done} />
      <p>{text.doneText(email)}</p>
      <FailureNotice failure={action.failure} />
      <p className="row">
        <Button
          isBusy={action.isBusy}
          onPress={() => void action.run(() => graph.mutate('resendVerification', { email })).then(setSent)}
        >
          {text.again}
        </Button>
        <span role="status">{isSent ? text.sentAgain : ''}</span>
      </p>
      <p>
        <Link to="/entrar">{text.toLogIn}</Link>
      </p>
    </>
  );
}
