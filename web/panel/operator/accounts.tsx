import { useState } from 'react';
import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import { decimal } from '../frame/language.js';
import { Form, PageHead, textOf } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { ReasonDialog } from './reason-dialog.js';
import { operatorTexts } from './texts.js';

/** The limits of keys, and access of accounts. */
export function Accounts() {
  const { accounts: text } = operatorTexts.get();
  const [note, setNote] = useState('');
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <p role="status" className="note">
        {note}
      </p>
      <Section id="limit" title={text.limit}>
        <p className="muted">{text.limitLead}</p>
        <LimitForm onDone={setNote} />
      </Section>
      <Section id="access" title={text.access}>
        <p className="muted">{text.accessLead}</p>
        <AccessForm onDone={setNote} />
      </Section>
    </>
  );
}

function LimitForm({ onDone }: { readonly onDone: (said: string) => void }) {
  const { accounts: text } = operatorTexts.get();
  const action = useAction();
  return (
    <Form
      action={action}
      fields={['prefix', 'rateLimit']}
      label={text.limit}
      onSubmit={(values) => {
        const typed = textOf(values, 'rateLimit').trim();
        void action.run(async () => {
          const { limitKey } = await graph.mutate('limitKey', {
            prefix: textOf(values, 'prefix').trim(),
            rateLimit: typed === '' ? null : Number(typed),
          });
          if (limitKey === null) return;
          const { name, rateLimit, followsConfiguration } = limitKey;
          onDone(text.limited(name, decimal(rateLimit), followsConfiguration));
        });
      }}
    >
      <TextInput
        name="prefix"
        label={text.prefix}
        hint={text.prefixHint}
        autoComplete="off"
        maxLength={100}
        isRequired
      />
      <TextInput name="rateLimit" label={text.rate} hint={text.rateHint} inputMode="numeric" pattern="[0-9]{1,8}" />
      <div className="acts">
        <Button type="submit" kind="main" isBusy={action.isBusy}>
          {text.setLimit}
        </Button>
      </div>
    </Form>
  );
}

function AccessForm({ onDone }: { readonly onDone: (said: string) => void }) {
  const { accounts: text } = operatorTexts.get();
  const action = useAction();
  const [email, setEmail] = useState('');
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Form
        action={action}
        fields={['email']}
        label={text.access}
        onSubmit={() => {
          setAsked(true);
        }}
      >
        <TextInput
          name="email"
          type="email"
          label={text.email}
          value={email}
          onChange={setEmail}
          autoComplete="off"
          maxLength={254}
          isRequired
        />
        <div className="acts">
          <Button
            isBusy={action.isBusy}
            isDisabled={email === ''}
            onPress={() => {
              void action.run(async () => {
                await graph.mutate('enableAccount', { email: email.trim() });
                onDone(text.enabled(email));
              });
            }}
          >
            {text.enable}
          </Button>
          <Button type="submit" kind="danger" isDisabled={email === ''}>
            {text.disable}
          </Button>
        </div>
      </Form>
      {isAsked ? (
        <ReasonDialog
          title={text.disableTitle(email)}
          act={text.disable}
          onClose={() => {
            setAsked(false);
          }}
          run={(reason) => graph.mutate('disableAccount', { email: email.trim(), reason })}
          onDone={() => {
            setAsked(false);
            onDone(text.disabled(email));
          }}
        >
          <p>{text.disableText}</p>
        </ReasonDialog>
      ) : null}
    </>
  );
}
