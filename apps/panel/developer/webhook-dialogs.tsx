import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog, Dialog } from '../../design/controls/dialog.js';
import { SelectInput, Checks, TextInput } from '../../design/controls/fields.js';
import { decimal, plural } from '../frame/language.js';
import { FailureNotice, Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { SecretDialog } from './secret-dialog.js';
import { developerTexts } from './texts.js';
import { WebhookForm, type WebhookFormProps } from './webhook-form.js';
import { Button } from '../../design/controls/button.js';

/** An act that asks for something first. */
export type WebhookAct = 'edit' | 'resend' | 'rotate' | 'remove';

export interface WebhookDialogsProps {
  readonly webhook: NonNullable<WebhookFormProps['webhook']>;
  readonly act: WebhookAct | undefined;
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}

export function WebhookDialogs({ webhook, act, onClose, onDone }: WebhookDialogsProps) {
  const { webhooks: text } = developerTexts.get();
  const { id } = webhook;
  return (
    <>
      <WebhookForm webhook={webhook} isOpen={act === 'edit'} onClose={onClose} onChanged={() => onDone('')} />
      <Dialog title={text.resend} isOpen={act === 'resend'} onClose={onClose}>
        <Resend webhook={webhook} onClose={onClose} onDone={onDone} />
      </Dialog>
      <Rotate id={id} isOpen={act === 'rotate'} onClose={onClose} />
      <Remove id={id} isOpen={act === 'remove'} onClose={onClose} />
    </>
  );
}

interface ActProps {
  readonly id: string;
  readonly onClose: () => void;
}

function Rotate({ id, isOpen, onClose }: ActProps & { readonly isOpen: boolean }) {
  const { webhooks: text } = developerTexts.get();
  const action = useAction();
  const [overlap, setOverlap] = useState('24');
  const [secret, setSecret] = useState<string>();
  return (
    <>
      <ConfirmDialog
        title={text.rotate}
        isOpen={isOpen && secret === undefined}
        onClose={onClose}
        act={text.rotate}
        cancel={frameTexts.get().cancel}
        isBusy={action.isBusy}
        problem={<FailureNotice failure={action.failure} />}
        onConfirm={() => {
          void action.run(async () => {
            const variables = { id, overlapHours: Number(overlap) };
            const { rotateWebhookSecret } = await graph.mutate('rotateWebhookSecret', variables);
            setSecret(rotateWebhookSecret?.secret);
          });
        }}
      >
        <p>{text.rotateText}</p>
        <SelectInput
          name="overlapHours"
          label={text.overlap}
          value={overlap}
          onChange={setOverlap}
          options={overlaps.map((hours) => ({
            value: String(hours),
            text: hours === 0 ? text.noOverlap : plural(hours, hoursText(hours)),
          }))}
        />
      </ConfirmDialog>
      <SecretDialog
        secret={secret}
        onClose={() => {
          setSecret(undefined);
          onClose();
        }}
      />
    </>
  );
}

/** Hours for which deliveries are signed with both secrets. */
const overlaps = [0, 1, 24, 72, 168];

function hoursText(hours: number) {
  const { one, other } = developerTexts.get().webhooks.hours;
  return { one, other: other(decimal(hours)) };
}

function Remove({ id, isOpen, onClose }: ActProps & { readonly isOpen: boolean }) {
  const { webhooks: text } = developerTexts.get();
  const action = useAction();
  const router = useRouter();
  return (
    <ConfirmDialog
      title={text.removeTitle}
      isOpen={isOpen}
      onClose={onClose}
      act={text.remove}
      cancel={frameTexts.get().cancel}
      isBusy={action.isBusy}
      problem={<FailureNotice failure={action.failure} />}
      onConfirm={() => {
        void action.run(async () => {
          await graph.mutate('deleteWebhook', { id });
          await router.navigate({ to: '/desenvolvedor/webhooks', replace: true });
        });
      }}
    >
      <p>{text.removeText}</p>
    </ConfirmDialog>
  );
}

const statuses = ['FAILED', 'SKIPPED', 'DELIVERED'] as const;
type Status = (typeof statuses)[number];

/** Sends the deliveries of a filter again. */
function Resend(props: {
  readonly webhook: { readonly id: string; readonly events: readonly string[] };
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { webhook, onClose, onDone } = props;
  const { webhooks: text } = developerTexts.get();
  const action = useAction();
  const [chosen, setChosen] = useState<readonly Status[]>(['FAILED', 'SKIPPED']);
  const [type, setType] = useState('');
  return (
    <Form
      action={action}
      fields={['statuses', 'type', 'from', 'to']}
      onSubmit={(values) => {
        const filter = {
          statuses: chosen,
          type: type === '' ? null : type,
          from: momentOf(textOf(values, 'from')),
          to: momentOf(textOf(values, 'to')),
        };
        void action.run(async () => {
          const { redeliverWebhookDeliveries } = await graph.mutate('redeliverDeliveries', { id: webhook.id, filter });
          const count = redeliverWebhookDeliveries?.matched ?? 0;
          onDone(plural(count, { one: text.resent.one, other: text.resent.other(decimal(count)) }));
        });
      }}
    >
      <p>{text.resendText}</p>
      <Checks
        name="statuses"
        label={text.status}
        value={chosen}
        onChange={(values) => setChosen(statuses.filter((one) => values.includes(one)))}
        required={frameTexts.get().chooseOne}
        options={statuses.map((value) => ({ value, text: text.deliveryStates[value] }))}
      />
      <SelectInput
        name="type"
        label={text.event}
        value={type}
        onChange={setType}
        options={[
          { value: '', text: text.allEvents },
          ...[...webhook.events, 'webhook.test'].map((value) => ({ value, text: value })),
        ]}
      />
      <TextInput name="from" type="datetime-local" label={text.from} hint={text.fromHint} />
      <TextInput name="to" type="datetime-local" label={text.to} hint={text.toHint} />
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button kind="main" type="submit" isBusy={action.isBusy}>
          {text.resend}
        </Button>
      </div>
    </Form>
  );
}

/** Returns the moment of a field, whose time is that of the browser; null for an empty one. */
function momentOf(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString();
}
