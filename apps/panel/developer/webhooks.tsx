import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, noted, Table, type Column } from '../../design/basics.js';
import { DialogButton } from '../frame/ask.js';
import { date, plural } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph.js';
import { SecretDialog } from './webhook-dialogs.js';
import { developerTexts } from '../texts.js';
import { WebhookForm } from './webhook-form.js';

type Webhook = Operations['webhooks']['data']['webhooks']['items'][number];

/** The webhooks of the account, which has at most 100. */
export function Webhooks() {
  const { webhooks: text, words } = developerTexts.get();
  const query = useQuery(graph, 'webhooks', {});
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
      <Loaded query={query}>
        {({ webhooks }) => (
          <Table caption={words.webhooks} rows={webhooks.items} empty={text.empty} columns={columnsOf()} />
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

function columnsOf(): readonly Column<Webhook>[] {
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
      cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge>,
    },
    {
      label: words.events,
      kind: 'nowrap',
      cell: ({ events }) => <span title={events.join(', ')}>{plural(events.length, text.eventsCount)}</span>,
    },
    { label: words.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
  ];
}
