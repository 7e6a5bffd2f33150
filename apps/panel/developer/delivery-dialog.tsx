import { Badge, Facts } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { decimal, moment } from '../frame/language.js';
import { FailureNotice } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { toneOf } from './delivery-state.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { developerTexts } from './texts.js';

export type Delivery = Operations['deliveries']['data']['webhook']['deliveries']['nodes'][number];
type Attempt = Delivery['attempts'][number];

/** A delivery with the request and every attempt. */
export function DeliveryDialog(props: {
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
