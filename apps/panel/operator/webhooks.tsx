import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, type Tone } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput } from '../../design/controls/fields.js';
import { decimal, moment, percent } from '../frame/language.js';
import { PagedTable } from '../frame/paged-table.js';
import { Loaded, PageHead } from '../frame/parts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { operatorTexts } from './texts.js';

type Page = Operations['managedWebhooks']['data']['managedWebhooks'];
type Webhook = Page['nodes'][number];

const states = ['DEACTIVATED', 'FAILING', 'HEALTHY'] as const;
const toneOf: Readonly<Record<Webhook['state'], Tone>> = { DEACTIVATED: 'bad', FAILING: 'warn', HEALTHY: 'good' };

/** The webhooks of all accounts, the worst first. */
export function Webhooks() {
  const { webhooks: text, work } = operatorTexts.get();
  const [chosen, setChosen] = useState('');
  const state = states.find((one) => one === chosen) ?? null;
  const query = useQuery(graph, 'managedWebhooks', { state, after: null });
  return (
    <>
      <PageHead
        title={text.title}
        lead={text.lead}
        acts={
          <Button isBusy={query.isLoading} onPress={query.reload}>
            {work.refresh}
          </Button>
        }
      />
      <div className="filter">
        <SelectInput
          name="state"
          label={text.filter}
          value={chosen}
          onChange={setChosen}
          all={text.all}
          options={states.map((value) => ({ value, text: text.states[value] }))}
        />
      </div>
      <Loaded query={query}>
        {({ managedWebhooks }) => (
          <PagedTable
            key={`${chosen} ${managedWebhooks.pageInfo.endCursor ?? ''}`}
            caption={text.title}
            first={managedWebhooks}
            next={async (after) => (await graph.query('managedWebhooks', { state, after })).managedWebhooks}
            keyOf={({ id }) => id}
            empty={text.empty}
            columns={[
              {
                label: text.host,
                kind: 'wide',
                cell: Receiver,
              },
              {
                label: text.state,
                kind: 'wide',
                cell: ({ state: health, deactivatedAt, deactivationReason }) => (
                  <>
                    <Badge tone={toneOf[health]}>{text.states[health]}</Badge>
                    {deactivatedAt === null || deactivationReason === null ? null : (
                      <span className="sub">
                        {text.since(moment(deactivatedAt))}: {text.reasons[deactivationReason]}
                      </span>
                    )}
                  </>
                ),
              },
              {
                label: text.share,
                kind: 'number',
                cell: ({ health: { successShare } }) =>
                  successShare === null ? null : percent(String(successShare * 100), 1),
              },
              {
                label: text.lastFailure,
                kind: 'wide',
                cell: ({ health: { lastFailure } }) =>
                  lastFailure === null ? null : (
                    <>
                      {moment(lastFailure.at)}
                      <span className="sub" lang="en">
                        {lastFailure.responseStatus === null
                          ? lastFailure.error
                          : `HTTP ${String(lastFailure.responseStatus)}`}
                      </span>
                    </>
                  ),
              },
              { label: text.pending, kind: 'number', cell: ({ pendingDeliveries }) => decimal(pendingDeliveries) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** The host of a webhook, with its account. */
export function Receiver({ host, owner }: Pick<Webhook, 'host' | 'owner'>) {
  const { webhooks: text } = operatorTexts.get();
  return (
    <>
      <code>{host}</code>
      <span className="sub">
        {text.owner}{' '}
        {owner.email === null ? (
          <code>{owner.id}</code>
        ) : (
          <Link to="/operacao/contas" search={{ conta: owner.email }}>
            {owner.email}
          </Link>
        )}
      </span>
    </>
  );
}
