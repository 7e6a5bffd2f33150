import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, noted, type Tone } from '../../design/basics.js';
import { Button, SelectInput } from '../../design/controls/controls.js';
import { decimal, moment, percent } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { attemptText } from '../frame/failure.js';
import { PageHead, Said } from '../frame/parts.js';
import { graph, type Operations } from './graph/operations.js';
import { operatorTexts } from '../texts.js';

type Webhook = Operations['managedWebhooks']['data']['managedWebhooks']['nodes'][number];

const toneOf: Readonly<Record<Webhook['state'], Tone>> = { DEACTIVATED: 'bad', FAILING: 'bad', HEALTHY: 'good' };

export function Webhooks() {
  const { webhooks: text, words } = operatorTexts.get();
  const [state, setState] = useState<Webhook['state'] | ''>('');
  const pages = usePages(graph, 'managedWebhooks', { state: state || null }, ({ managedWebhooks }) => managedWebhooks);
  return (
    <>
      <PageHead
        title={words.webhooks}
        lead={text.lead}
        acts={
          <Button isBusy={pages.isLoading} onPress={pages.reload}>
            {words.refresh}
          </Button>
        }
      />
      <div className="filter">
        <SelectInput
          name="state"
          label={words.status}
          value={state}
          onChange={setState}
          all={words.all}
          options={text.states}
        />
      </div>
      <PagedTable
        pages={pages}
        caption={words.webhooks}
        empty={text.empty}
        columns={[
          { label: text.host, kind: 'wide', cell: Receiver },
          {
            label: words.status,
            kind: 'wide',
            cell: ({ state: health, deactivatedAt, deactivationReason }) =>
              noted(
                <Badge tone={toneOf[health]}>{text.states[health]}</Badge>,
                deactivatedAt === null || deactivationReason === null ? null : (
                  <>
                    {text.since(moment(deactivatedAt))}: {text.reasons[deactivationReason]}
                  </>
                ),
              ),
          },
          {
            label: text.share,
            kind: 'number',
            cell: ({ health: { successShare } }) =>
              successShare === null ? null : percent(String(successShare * 100), 1),
          },
          {
            label: words.lastFailure,
            kind: 'wide',
            cell: ({ health: { lastFailure } }) =>
              lastFailure === null
                ? null
                : noted(
                    moment(lastFailure.at),
                    lastFailure.responseStatus === null ? (
                      <Said text={attemptText(lastFailure.error ?? '')} />
                    ) : (
                      `HTTP ${String(lastFailure.responseStatus)}`
                    ),
                  ),
          },
          { label: text.pending, kind: 'number', cell: ({ pendingDeliveries }) => decimal(pendingDeliveries) },
        ]}
      />
    </>
  );
}

export function Receiver({ host, owner }: Pick<Webhook, 'host' | 'owner'>) {
  const { webhooks: text } = operatorTexts.get();
  return noted(
    <code>{host}</code>,
    <>
      {text.owner}{' '}
      {owner.email === null ? (
        <code>{owner.id}</code>
      ) : (
        <Link to="/operacao/contas" search={{ conta: owner.email }}>
          {owner.email}
        </Link>
      )}
    </>,
  );
}
