import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/controls.js';
import { usePathPart } from '../frame/address.js';
import { DialogButton } from '../frame/ask.js';
import { date, language } from '../frame/language.js';
import { FailureNotice, Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useAction, useQuery, type Action } from '../frame/use-graph.js';
import { Deliveries } from './deliveries.js';
import { graph, type Operations } from './graph.js';
import { developerTexts } from '../texts.js';
import { RemoveWebhook, Resend, RotateSecret } from './webhook-dialogs.js';
import { WebhookForm } from './webhook-form.js';
import { Redeliveries, WebhookHealth, WebhookStatus } from './webhook-health.js';

type Webhook = Operations['webhook']['data']['webhook'];

export function WebhookPage() {
  const { webhooks: text } = developerTexts.get();
  const id = usePathPart('id');
  const query = useQuery(graph, 'webhook', { id, locale: language.graph });
  const action = useAction();
  const { reload } = query;
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => {
    setTurn((before) => before + 1);
    reload();
  }, [reload]);
  const [note, done] = useNote(refresh);
  return (
    <>
      <PageHead
        title="Webhook"
        lead={<Link to="/desenvolvedor/webhooks">{text.back}</Link>}
        acts={query.data === undefined ? undefined : <WebhookStatus webhook={query.data.webhook} />}
      />
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ webhook }) => (
          <>
            <FailureNotice failure={action.failure} />
            <Acts webhook={webhook} action={action} onDone={done} />
            <Summary webhook={webhook} />
            <WebhookHealth webhook={webhook} />
            <Redeliveries rows={webhook.redeliveries} />
            <Deliveries webhook={webhook} turn={turn} refresh={refresh} onDone={done} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Acts(props: { readonly webhook: Webhook; readonly action: Action; readonly onDone: (said: string) => void }) {
  const { webhook, action, onDone } = props;
  const { webhooks: text } = developerTexts.get();
  const { id, status } = webhook;
  const now = (name: 'testWebhook' | 'activateWebhook', said: string) => () => {
    void action.run(async () => {
      await graph.mutate(name, { id });
      onDone(said);
    });
  };
  return (
    <>
      {status === 'ACTIVE' ? null : (
        <div className="notice bad">
          <p>{text.deactivated}</p>
          <p>
            <Button kind="main" isBusy={action.isBusy} onPress={now('activateWebhook', text.activated)}>
              {text.activate}
            </Button>
          </p>
        </div>
      )}
      <div className="row">
        <DialogButton act={text.edit}>
          {({ onClose }) => <WebhookForm webhook={webhook} onClose={onClose} onChanged={() => onDone('')} />}
        </DialogButton>
        <Button isBusy={action.isBusy} isDisabled={status !== 'ACTIVE'} onPress={now('testWebhook', text.tested)}>
          {text.test}
        </Button>
        <Resend webhook={webhook} onSent={onDone} />
        <DialogButton act={text.rotate}>{({ onClose }) => <RotateSecret id={id} onClose={onClose} />}</DialogButton>
        <RemoveWebhook id={id} />
      </div>
    </>
  );
}

function Summary({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: text, words } = developerTexts.get();
  return (
    <Facts
      items={[
        [words.address, <code key="url">{webhook.url}</code>],
        [text.description, webhook.description],
        [words.created, date(webhook.createdAt)],
        [words.events, <code key="events">{webhook.events.join(', ')}</code>],
      ]}
    />
  );
}
