import { useState } from 'react';
import { Checks, SelectInput, TextInput } from '../../design/controls/controls.js';
import { SecretsDialog } from '../frame/secrets.js';
import { ActDialog } from '../frame/ask.js';
import { accepted } from '../frame/failure.js';
import { textOf, textsOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { developerTexts } from '../texts.js';
import { graph } from './graph.js';

const scopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

export function CreateKey(props: { readonly onClose: () => void; readonly onCreated: () => void }) {
  const { onClose, onCreated } = props;
  const { keys: text, words } = developerTexts.get();
  const [key, setKey] = useState<{ readonly value: string; readonly scopes: readonly string[] }>();
  if (key !== undefined) return <CreatedKey {...key} onClose={onClose} />;
  return (
    <ActDialog
      act={text.create}
      fields={['name', 'scopes']}
      onClose={onClose}
      run={async (values) => {
        const name = textOf(values, 'name');
        const isApi = textOf(values, 'kind') === 'api';
        const chosen = isApi ? [] : textsOf(values, 'scopes');
        const created = isApi
          ? (await graph.mutate('createApiKey', { name })).createApiKeyResult
          : (await graph.mutate('createDeveloperKey', { name, scopes: chosen })).createDeveloperKeyResult;
        setKey({ value: accepted(created).key, scopes: chosen });
      }}
      onDone={onCreated}
    >
      <TextInput
        name="name"
        label={words.name}
        hint={text.nameHint}
        maxLength={200}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <KindFields />
    </ActDialog>
  );
}

function KindFields() {
  const { keys: text, words } = developerTexts.get();
  const [kind, setKind] = useState<keyof typeof text.kinds>('api');
  return (
    <>
      <SelectInput name="kind" label={words.kind} value={kind} onChange={setKind} options={text.kinds} />
      {kind === 'api' ? null : (
        <Checks
          name="scopes"
          label={text.scopes}
          defaultValue={[]}
          required={frameTexts.get().chooseOne}
          options={scopes.map((value) => ({ value, text: text.scopeTexts[value], hint: <code>{value}</code> }))}
        />
      )}
    </>
  );
}

const graphCall = (fields: string) =>
  `/graphql -H 'Content-Type: application/json' -d '${JSON.stringify({ query: `{ ${fields} }` })}'`;

const firstCalls: Readonly<Record<string, string>> = {
  'contracts:read': '/developer/contracts',
  'credit:read': graphCall('creditBatches { totalCount }'),
  'webhooks:read': '/developer/webhooks',
  'webhooks:write': graphCall('webhookEvents { name }'),
};

/** Shows the complete value of a new key, once, with a first call. */
export function CreatedKey(props: {
  readonly value: string;
  readonly scopes?: readonly string[] | undefined;
  readonly onClose: () => void;
}) {
  const { value, scopes: [scope = ''] = [], onClose } = props;
  const { keys: text, words } = developerTexts.get();
  const call = firstCalls[scope] ?? '/v1/emissoes/operacoes';
  return (
    <SecretsDialog
      title={text.createdTitle}
      text={text.createdText}
      secrets={[
        [words.key, value],
        [text.firstCall, `curl -s -H 'X-API-Key: ${value}' ${location.origin}${call}`],
      ]}
      done={text.done}
      onClose={onClose}
    />
  );
}
