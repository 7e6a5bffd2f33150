import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, TextInput } from '../../design/controls/controls.js';
import { accepted } from '../frame/failure.js';
import { FailureNotice, Form, PageHead, textOf } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { accountTexts } from '../texts.js';

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
            const { registerResult } = await graph.mutate('register', { name, company, email, password });
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
