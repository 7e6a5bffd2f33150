import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Badge, Section, Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput } from '../../design/controls/fields.js';
import type { Column } from '../../design/table.js';
import { useParameter } from '../frame/address.js';
import { decimal, moment } from '../frame/language.js';
import { PagedTable } from '../frame/paged-table.js';
import { FailureNotice, Loaded } from '../frame/parts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { deliveryStates, toneOf } from './delivery-state.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { developerTexts } from './texts.js';
import { Dialog } from '../../design/controls/dialog.js';
import { frameTexts } from '../frame/texts.js';

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
          all={text.all}
          options={deliveryStates.map((value) => ({ value, text: text.deliveryStates[value] }))}
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
  const [chosen, setChosen] = useState<Delivery>();
  return (
    <>
      <PagedTable
        caption={text.deliveries}
        first={first}
        next={async (after) => (await graph.query('deliveries', { id, status, after })).webhook.deliveries}
        keyOf={(one) => one.id}
        empty={text.deliveriesEmpty}
        columns={columnsOf(setChosen)}
      />
      <DeliveryDialog webhookId={id} delivery={chosen} onClose={() => setChosen(undefined)} onDone={onDone} />
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
          onPress={() => onChoose(delivery)}
        >
          {text.details}
        </Button>
      ),
    },
  ];
}

type Delivery = Operations['deliveries']['data']['webhook']['deliveries']['nodes'][number];
type Attempt = Delivery['attempts'][number];

/** A delivery with the request and every attempt. */
function DeliveryDialog(props: {
  readonly webhookId: string;
  readonly delivery: Delivery | undefined;
  readonly onClose: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { webhookId, delivery, onClose, onDone } = props;
  const { webhooks: text } = developerTexts.get();
  const action = useAction();
  const resend = () => {
    if (delivery === undefined) return;
    void action.run(async () => {
      await graph.mutate('redeliverWebhook', { id: webhookId, deliveryId: delivery.id });
      onDone(text.redelivered);
    });
  };
  return (
    <Dialog title={text.delivery} isOpen={delivery !== undefined} isWide onClose={onClose}>
      <FailureNotice failure={action.failure} />
      {delivery === undefined ? null : <Content delivery={delivery} />}
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().close}</Button>
        <Button kind="main" isBusy={action.isBusy} onPress={resend}>
          {text.redeliver}
        </Button>
      </div>
    </Dialog>
  );
}

function Content({ delivery }: { readonly delivery: Delivery }) {
  const { webhooks: text } = developerTexts.get();
  return (
    <>
      <Facts
        items={[
          [text.event, <code key="event">{delivery.type}</code>],
          [
            text.status,
            <Badge key="status" tone={toneOf[delivery.status]}>
              {text.deliveryStates[delivery.status]}
            </Badge>,
          ],
          [text.time, moment(delivery.createdAt)],
          ['X-Webhook-Id', <code key="id">{delivery.eventId}</code>],
        ]}
      />
      <h3>{text.request}</h3>
      <pre className="code" tabIndex={0}>
        {readable(delivery.requestBody)}
      </pre>
      {delivery.attempts.length === 0 ? <p className="empty">{text.noAttempts}</p> : null}
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptPart key={attempt.number} attempt={attempt} />
      ))}
    </>
  );
}

function AttemptPart({ attempt }: { readonly attempt: Attempt }) {
  const { webhooks: text } = developerTexts.get();
  const { number, startedAt, url, durationMs, responseStatus, responseBody, error } = attempt;
  return (
    <section className="stack tight">
      <h3>{text.attempt(decimal(number))}</h3>
      <p className="muted">
        {[
          moment(startedAt),
          responseStatus === null ? undefined : `HTTP ${responseStatus}`,
          durationMs === null ? text.underWay : text.milliseconds(decimal(durationMs)),
        ]
          .filter((part) => part !== undefined)
          .join(' · ')}
      </p>
      <p>
        <code>{url}</code>
      </p>
      {error === null ? null : (
        <p className="notice bad" lang="en">
          {error}
        </p>
      )}
      {responseBody === null || responseBody === '' ? (
        responseStatus === null ? null : (
          <p className="muted">{text.noBody}</p>
        )
      ) : (
        <pre className="code" tabIndex={0}>
          {responseBody}
        </pre>
      )}
    </section>
  );
}

/** Returns JSON with line breaks; another text as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
