import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput } from '../../design/controls/fields.js';
import { Table, type Column } from '../../design/table.js';
import { useParameter } from '../frame/address.js';
import { decimal, moment } from '../frame/language.js';
import { FailureNotice, Loaded, More } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { DeliveryDialog, type Delivery } from './delivery-dialog.js';
import { deliveryStates, toneOf } from './delivery-state.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { developerTexts } from './texts.js';

type Page = Operations['deliveries']['data']['webhook']['deliveries'];

/** The deliveries to a webhook, of one status or all. The status is in the address, so that it survives a reload. */
export function Deliveries(props: {
  readonly id: string;
  /** Changes when something was sent, so that the list is read again. */
  readonly turn: number;
  readonly onDone: (said: string) => void;
}) {
  const { id, turn, onDone } = props;
  const { webhooks: text } = developerTexts.get();
  const asked = useParameter('status');
  const status = deliveryStates.find((one) => one === asked);
  const navigate = useNavigate();
  const query = useQuery(graph, 'deliveries', { id, status: status ?? null, after: null });
  const { reload } = query;
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn, reload]);
  return (
    <Section id="deliveries" title={text.deliveries}>
      <div className="filter">
        <SelectInput
          name="status"
          label={text.status}
          value={status ?? ''}
          options={[
            { value: '', text: text.all },
            ...deliveryStates.map((value) => ({ value, text: text.deliveryStates[value] })),
          ]}
          onChange={(value) => {
            const chosen = deliveryStates.find((one) => one === value);
            void navigate({
              to: '/desenvolvedor/webhooks/$id',
              params: { id },
              search: chosen === undefined ? {} : { status: chosen },
              resetScroll: false,
            });
          }}
        />
      </div>
      <Loaded query={query}>
        {({ webhook }) => (
          <Pages
            key={`${status ?? ''} ${turn}`}
            id={id}
            status={status ?? null}
            first={webhook.deliveries}
            onDone={onDone}
          />
        )}
      </Loaded>
    </Section>
  );
}

function Pages(props: {
  readonly id: string;
  readonly status: Delivery['status'] | null;
  readonly first: Page;
  readonly onDone: (said: string) => void;
}) {
  const { id, status, first, onDone } = props;
  const { webhooks: text } = developerTexts.get();
  const action = useAction();
  const [others, setOthers] = useState<readonly Page[]>([]);
  const [chosen, setChosen] = useState<Delivery>();
  const rows = [first, ...others].flatMap(({ nodes }) => nodes);
  const last = others.at(-1) ?? first;
  return (
    <>
      <Table
        caption={text.deliveries}
        rows={rows}
        keyOf={(one) => one.id}
        empty={text.deliveriesEmpty}
        columns={columnsOf(setChosen)}
      />
      <FailureNotice failure={action.failure} />
      <More
        shown={rows.length}
        total={first.totalCount}
        hasMore={last.pageInfo.hasNextPage}
        isBusy={action.isBusy}
        onMore={() => {
          void action.run(async () => {
            const { webhook } = await graph.query('deliveries', { id, status, after: last.pageInfo.endCursor });
            setOthers((before) => [...before, webhook.deliveries]);
          });
        }}
      />
      <DeliveryDialog
        webhookId={id}
        delivery={chosen}
        onClose={() => {
          setChosen(undefined);
        }}
        onDone={onDone}
      />
    </>
  );
}

function columnsOf(onChoose: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  const { webhooks: text } = developerTexts.get();
  return [
    { label: text.event, kind: 'wide', cell: ({ type }) => <code>{type}</code> },
    { label: text.time, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
    {
      label: text.status,
      cell: ({ status }) => <Badge tone={toneOf[status]}>{text.deliveryStates[status]}</Badge>,
    },
    { label: text.attempts, kind: 'number', cell: ({ attempts }) => decimal(attempts.length) },
    {
      label: text.lastResponse,
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        return last === undefined ? '—' : (last.responseStatus ?? <span lang="en">{last.error}</span>);
      },
    },
    { label: text.next, kind: 'nowrap', cell: ({ nextAttemptAt }) => moment(nextAttemptAt) },
    {
      label: text.acts,
      cell: (delivery) => (
        <Button
          label={`${text.details} ${delivery.type} ${moment(delivery.createdAt)}`}
          onPress={() => {
            onChoose(delivery);
          }}
        >
          {text.details}
        </Button>
      ),
    },
  ];
}
