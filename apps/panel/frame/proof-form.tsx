import { useState } from 'react';
import { Button, TextInput } from '../../design/controls/controls.js';
import { Form, textOf } from './parts.js';
import { stepUp, useSession, type StepUpProof } from './session.js';
import { frameTexts } from './texts.js';
import { useAction } from './use-graph.js';

export function ProofForm({ onDone, onCancel }: { readonly onDone: () => void; readonly onCancel?: () => void }) {
  const text = frameTexts.get();
  const accepts = useSession()?.accepts ?? [];
  const [recovery, setRecovery] = useState(false);
  const action = useAction();
  const prove = (proof: StepUpProof) => {
    void action
      .run(() => stepUp(proof))
      .then((done) => {
        if (done) onDone();
      });
  };
  const typed = recovery
    ? 'recoveryCode'
    : accepts.includes('TOTP')
      ? 'totp'
      : accepts.includes('PASSWORD')
        ? 'password'
        : undefined;
  return (
    <Form
      action={action}
      fields={['password', 'totp', 'recoveryCode']}
      onSubmit={(values) => {
        if (typed === 'password') prove({ password: textOf(values, typed) });
        else if (typed === 'totp') prove({ totp: textOf(values, typed).replaceAll(' ', '') });
        else if (typed === 'recoveryCode') prove({ recoveryCode: textOf(values, typed).trim() });
      }}
    >
      {accepts.includes('PASSKEY') ? (
        <Button kind={typed === undefined ? 'main' : 'plain'} isBusy={action.isBusy} onPress={() => prove('passkey')}>
          {text.stepUp.passkey}
        </Button>
      ) : null}
      {typed === undefined ? null : <ProofField key={typed} typed={typed} />}
      {accepts.includes('RECOVERY_CODE') && (!recovery || accepts.includes('TOTP')) ? (
        <p>
          <button type="button" className="link" onClick={() => setRecovery(!recovery)}>
            {recovery ? text.stepUp.useTotp : text.stepUp.useRecovery}
          </button>
        </p>
      ) : null}
      <div className="acts">
        {onCancel === undefined ? null : <Button onPress={onCancel}>{text.cancel}</Button>}
        {typed === undefined ? null : (
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {text.stepUp.confirm}
          </Button>
        )}
      </div>
    </Form>
  );
}

function ProofField({ typed }: { readonly typed: 'password' | 'totp' | 'recoveryCode' }) {
  const { stepUp: text } = frameTexts.get();
  const inputs = {
    password: { type: 'password', label: text.password, autoComplete: 'current-password' },
    recoveryCode: { label: text.recovery, autoComplete: 'off', maxLength: 100 },
    totp: { label: text.totp, hint: text.totpHint, autoComplete: 'one-time-code', inputMode: 'numeric', maxLength: 8 },
  } as const;
  return <TextInput name={typed} {...inputs[typed]} isRequired autoFocus />;
}
