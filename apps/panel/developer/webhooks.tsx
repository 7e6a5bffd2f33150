import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge } from '../../design/basics.js';
import { Table, type Column } from '../../design/table.js';
import { DialogButton } from '../frame/ask.js';
import { date, plural } from '../frame/language.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { SecretDialog } from './secret-dialog.js';
import { developerTexts } from './texts.js';
import { WebhookForm } from './webhook-form.js';

type Webhook = Operations['webhooks']['data']['webhooks']['items'][number];

/** The webhooks of the account, which has at most 100. */
export function Webhooks() {
  const { webhooks: text } = developerTexts.get();
  const query = useQuery(graph, 'webhooks', {});
  const router = useRouter();
  const [created, setCreated] = useState<{ readonly id: string; readonly secret: string }>();
  return (
    <>
      <PageHead
        title={text.title}
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
          <Table
            caption={text.title}
            rows={webhooks.items}
            keyOf={({ id }) => id}
            empty={text.empty}
            columns={columnsOf()}
          />
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
  const { webhooks: text } = developerTexts.get();
  return [
    {
      label: text.url,
      kind: 'wide',
      cell: ({ id, url, description }) => (
        <>
          <Link className="code" to="/desenvolvedor/webhooks/$id" params={{ id }}>
            {url}
          </Link>
          {description === null ? null : <span className="sub">{description}</span>}
        </>
      ),
    },
    {
      label: text.status,
      cell: ({ status }) => <Badge tone={status === 'ACTIVE' ? 'good' : 'bad'}>{text.states[status]}</Badge>,
    },
    {
      label: text.events,
      kind: 'nowrap',
      cell: ({ events }) => <span title={events.join(', ')}>{plural(events.length, text.eventsCount)}</span>,
    },
    { label: text.created, kind: 'nowrap', cell: ({ createdAt }) => date(createdAt) },
  ];
}
