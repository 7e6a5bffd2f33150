import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog, Dialog } from '../../design/controls/dialog.js';
import { SelectInput } from '../../design/controls/fields.js';
import { decimal, plural } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { Resend } from './resend.js';
import { SecretDialog } from './secret-dialog.js';
import { developerTexts } from './texts.js';
import { WebhookForm, type WebhookFormProps } from './webhook-form.js';

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
      <WebhookForm
        webhook={webhook}
        isOpen={act === 'edit'}
        onClose={onClose}
        onChanged={() => {
          onDone('');
        }}
      />
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
