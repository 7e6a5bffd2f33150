import { Link, useRouter } from '@tanstack/react-router';
import { useState, useCallback } from 'react';
import { noted, Table, type Column, Facts } from '../../design/basics.js';
import { DialogButton, ActDialog } from '../frame/ask.js';
import { date, plural, language } from '../frame/language.js';
import { Loaded, Note, PageHead, useNote, textOf, textsOf, FailureNotice } from '../frame/parts.js';
import { useQuery, useAction, type Action } from '../frame/use-graph.js';
import { graph, type Operations } from './graph/operations.js';
import { webhookState } from '../home/item.js';
import { Resend, SecretDialog, RemoveWebhook, RotateSecret } from './webhook-dialogs.js';
import { developerTexts } from '../texts.js';
import { WebhookStatus, Redeliveries, WebhookHealth } from './webhook-health.js';
import { Checks, TextInput, Button } from '../../design/controls/controls.js';
import { accepted } from '../frame/failure.js';
import { frameTexts } from '../frame/texts.js';
import { usePathPart } from '../frame/address.js';
import { Deliveries } from './deliveries.js';

type Webhook = Operations['webhook']['data']['webhook'];
type Listed = Operations['webhooks']['data']['webhooks']['items'][number];

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

function columnsOf(onSent: (said: string) => void): readonly Column<Listed>[] {
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

interface WebhookFormProps {
  readonly onClose: () => void;
  readonly webhook?: Pick<Webhook, 'id' | 'url' | 'events' | 'description'> | undefined;
  readonly onCreated?: (webhook: { readonly id: string; readonly secret: string }) => void;
  readonly onChanged?: () => void;
}

export function WebhookForm({ webhook, onClose, onCreated, onChanged }: WebhookFormProps) {
  const { webhooks: text, words } = developerTexts.get();
  const run = async (values: FormData) => {
    const description = textOf(values, 'description');
    const input = {
      url: textOf(values, 'url').trim(),
      events: textsOf(values, 'events'),
      description: description === '' ? null : description,
    };
    if (webhook === undefined) {
      const { createWebhookResult } = await graph.mutate('createWebhook', input);
      onCreated?.(accepted(createWebhookResult));
    } else {
      const { updateWebhookResult } = await graph.mutate('updateWebhook', { id: webhook.id, ...input });
      accepted(updateWebhookResult);
      onChanged?.();
    }
  };
  return (
    <ActDialog
      title={webhook === undefined ? text.create : text.edit}
      act={webhook === undefined ? text.create : frameTexts.get().save}
      fields={['url', 'events', 'description']}
      isWide
      onClose={onClose}
      run={run}
      onDone={onClose}
    >
      <TextInput
        name="url"
        label={words.address}
        hint={text.urlHint}
        validate={(typed) => (/^https?:\/\/[^\s/]+/.test(typed.trim()) ? undefined : text.urlForm)}
        inputMode="url"
        defaultValue={webhook?.url ?? ''}
        maxLength={2048}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <TextInput
        name="description"
        label={text.description}
        defaultValue={webhook?.description ?? ''}
        maxLength={500}
        autoComplete="off"
      />
      <Events chosen={webhook?.events ?? []} />
    </ActDialog>
  );
}

function Events({ chosen }: { readonly chosen: readonly string[] }) {
  const { webhooks: text, words } = developerTexts.get();
  const query = useQuery(graph, 'webhookEvents', {});
  return (
    <Loaded query={query}>
      {({ webhookEvents }) => (
        <Checks
          name="events"
          label={words.events}
          defaultValue={chosen}
          allOf={text.allOf}
          required={frameTexts.get().chooseOne}
          options={webhookEvents.map(({ name, meaning, surface }) => ({
            value: name,
            group: text.surfaces[surface],
            text: <code>{name}</code>,
            hint: text.meanings[name] ?? <span lang="en">{meaning}</span>,
          }))}
        />
      )}
    </Loaded>
  );
}

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
