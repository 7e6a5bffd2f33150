import { Checks, TextInput } from '../../design/controls/controls.js';
import { ActDialog } from '../frame/ask.js';
import { accepted } from '../frame/failure.js';
import { Loaded, textOf, textsOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { developerTexts } from '../texts.js';
import { useQuery } from '../frame/use-graph.js';
import { graph, type Operations } from './graph.js';

type Webhook = Pick<Operations['webhook']['data']['webhook'], 'id' | 'url' | 'events' | 'description'>;

interface WebhookFormProps {
  readonly onClose: () => void;
  readonly webhook?: Webhook | undefined;
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
