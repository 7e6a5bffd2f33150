import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { noted, Table, type Column } from '../../design/basics.js';
import { DialogButton } from '../frame/ask.js';
import { date, plural } from '../frame/language.js';
import { Loaded, Note, PageHead, useNote } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph.js';
import { webhookState } from '../home/item.js';
import { Resend, SecretDialog } from './webhook-dialogs.js';
import { developerTexts } from '../texts.js';
import { WebhookForm } from './webhook-form.js';
import { WebhookStatus } from './webhook-health.js';

type Webhook = Operations['webhooks']['data']['webhooks']['items'][number];

/** The webhooks of the account, which has at most 100. */
export function Webhooks() {
  const { webhooks: text, words } = developerTexts.get();
  const query = useQuery(graph, 'webhooks', {});
  const [note, done] = useNote(query.reload);
  const router = useRouter();
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string }>();
  return (
    <>
      <PageHead
        title={words.webhooks}
        lead={text.lead}
        acts={
          <DialogButton kind="main" act={text.create}>
            {({ onClose }) => (
              <WebhookForm
                onClose={onClose}
                onCreated={(webhook) => {
                  setCreated(webhook);
                  query.reload();
                }}
              />
            )}
          </DialogButton>
        }
      />
      <Note>{note}</Note>
      <Loaded query={query}>
        {({ webhooks }) => (
          <Table caption={words.webhooks} rows={webhooks.items} empty={text.empty} columns={columnsOf(done)} />
        )}
      </Loaded>
      <SecretDialog
        secret={created?.secret}
        onClose={() => {
          const id = created?.id ?? '';
          setCreated(undefined);
          void router.navigate({ to: '/desenvolvedor/webhooks/$id', params: { id } });
        }}
      />
    </>
  );
}

function columnsOf(onSent: (said: string) => void): readonly Column<Webhook>[] {
  const { webhooks: text, words } = developerTexts.get();
  return [
    {
      label: words.address,
      kind: 'wide',
      cell: ({ id, url, description }) =>
        noted(
          <Link className="code" to="/desenvolvedor/webhooks/$id" params={{ id }}>
            {url}
          </Link>,
          description,
        ),
    },
    {
      label: words.status,
      kind: 'wide',
      cell: (webhook) => <WebhookStatus webhook={webhook} />,
    },
    {
      label: words.events,
      kind: 'nowrap',
      cell: ({ events }) => <span title={events.join(', ')}>{plural(events.length, text.eventsCount)}</span>,
    },
    { label: words.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
    {
      label: words.acts,
      cell: (webhook) =>
        webhookState(webhook) === 'FAILING' ? (
          <Resend webhook={webhook} label={`${text.resend}: ${webhook.url}`} onSent={onSent} />
        ) : null,
    },
  ];
}
