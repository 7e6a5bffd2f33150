import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Badge, Section, Facts, type Column } from '../../design/basics.js';
import { Button, Dialog, SelectInput } from '../../design/controls/controls.js';
import { decimal, moment } from '../frame/language.js';
import { PagedTable, usePages } from '../frame/paged-table.js';
import { attemptText } from '../frame/failure.js';
import { FailureNotice, readable, Said } from '../frame/parts.js';
import { useAction, useRefresh } from '../frame/use-graph.js';
import { deliveryParameters, toneOf } from './request-filter.js';
import { graph, type Operations } from './graph/operations.js';
import { frameTexts } from '../frame/texts.js';
import { developerTexts } from '../texts.js';

const refreshMs = 5_000;

/** The deliveries to a webhook, of one status or all. The status is in the address, so that it survives a reload. */
export function Deliveries(props: {
  readonly webhook: Operations['webhook']['data']['webhook'];
  /** Changes when something was sent, so that the list is read again. */
  readonly turn: number;
  readonly refresh: () => void;
  readonly onDone: (said: string) => void;
}) {
  const { turn, refresh, onDone } = props;
  const { id, pending, redeliveries } = props.webhook;
  const { webhooks: text, words } = developerTexts.get();
  const { status } = deliveryParameters(useSearch({ strict: false }));
  const navigate = useNavigate();
  const pages = usePages(graph, 'deliveries', { id, status: status ?? null }, ({ webhook }) => webhook.deliveries);
  const { reload } = pages;
  const [chosen, setChosen] = useState<Delivery>();
  useEffect(() => {
    if (turn > 0) reload();
  }, [turn, reload]);
  // The page and its list are two readings: until neither shows anything pending, the other's figures may be of the moment before.
  const isSending =
    pending.totalCount > 0 ||
    redeliveries.some((one) => one.status === 'RUNNING') ||
    pages.first?.nodes.some((one) => one.status === 'PENDING') === true;
  useRefresh(refresh, isSending ? refreshMs : undefined);
  return (
    <Section id="deliveries" title={text.deliveries}>
      <div className="filter">
        <SelectInput
          name="status"
          label={words.status}
          value={status ?? ''}
          all={text.all}
          options={text.deliveryStates}
          onChange={(value) =>
            void navigate({
              to: '/desenvolvedor/webhooks/$id',
              params: { id },
              search: value === '' ? {} : { status: value },
              resetScroll: false,
            })
          }
        />
      </div>
      <PagedTable pages={pages} caption={text.deliveries} empty={text.deliveriesEmpty} columns={columnsOf(setChosen)} />
      <DeliveryDialog webhookId={id} delivery={chosen} onClose={() => setChosen(undefined)} onDone={onDone} />
    </Section>
  );
}

function columnsOf(onChoose: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  const { webhooks: text, words } = developerTexts.get();
  return [
    { label: words.event, kind: 'wide', cell: ({ type }) => <code>{type}</code> },
    { label: text.time, kind: 'nowrap', cell: ({ createdAt }) => moment(createdAt) },
    {
      label: words.status,
      cell: ({ status }) => <Badge tone={toneOf[status]}>{text.deliveryStates[status]}</Badge>,
    },
    { label: words.attempts, kind: 'number', cell: ({ attempts }) => decimal(attempts.length) },
    {
      label: text.lastResponse,
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        return last === undefined ? '—' : (last.responseStatus ?? <Said text={attemptText(last.error ?? '')} />);
      },
    },
    { label: words.nextAttempt, kind: 'nowrap', cell: ({ nextAttemptAt }) => moment(nextAttemptAt) },
    {
      label: words.acts,
      cell: (delivery) => (
        <Button
          label={`${words.details} ${delivery.type} ${moment(delivery.createdAt)}`}
          onPress={() => onChoose(delivery)}
        >
          {words.details}
        </Button>
      ),
    },
  ];
}

type Delivery = Operations['deliveries']['data']['webhook']['deliveries']['nodes'][number];
type Attempt = Delivery['attempts'][number];

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
      onClose();
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
  const { webhooks: text, words } = developerTexts.get();
  return (
    <>
      <Facts
        items={[
          [words.event, <code key="event">{delivery.type}</code>],
          [
            words.status,
            <Badge key="status" tone={toneOf[delivery.status]}>
              {text.deliveryStates[delivery.status]}
            </Badge>,
          ],
          [text.time, moment(delivery.createdAt)],
          ['X-Webhook-Id', <code key="id">{delivery.eventId}</code>],
        ]}
      />
      <h3>{words.request}</h3>
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
        <p className="notice bad">
          <Said text={attemptText(error)} />
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
