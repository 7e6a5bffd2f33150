import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, TextInput } from '../../design/controls/controls.js';
import { Form, PageHead, textOf } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { accountTexts } from './texts.js';

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
