import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { Checks, SelectInput, TextInput } from '../../design/controls/fields.js';
import { Secret } from '../../design/controls/secret.js';
import { ActDialog } from '../frame/ask.js';
import { accepted } from '../frame/failure.js';
import { textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { graph } from './graph.js';
import { developerTexts } from './texts.js';

const scopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

/** Creates a key, and shows it once. */
export function CreateKey(props: { readonly onClose: () => void; readonly onCreated: () => void }) {
  const { onClose, onCreated } = props;
  const { keys: text } = developerTexts.get();
  const [key, setKey] = useState<string>();
  const [kind, setKind] = useState('api');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  if (key !== undefined) return <CreatedKey value={key} onClose={onClose} />;
  return (
    <ActDialog
      title={text.create}
      act={text.create}
      fields={['name', 'scopes']}
      onClose={onClose}
      run={async (values) => {
        const name = textOf(values, 'name');
        setKey(kind === 'api' ? await createApiKey(name) : await createDeveloperKey(name, chosen));
      }}
      onDone={onCreated}
    >
      <TextInput
        name="name"
        label={text.name}
        hint={text.nameHint}
        maxLength={200}
        autoComplete="off"
        isRequired
        autoFocus
      />
      <SelectInput
        name="kind"
        label={text.kind}
        value={kind}
        onChange={setKind}
        options={[
          { value: 'api', text: text.kinds.api },
          { value: 'developer', text: text.kinds.developer },
        ]}
      />
      {kind === 'api' ? null : (
        <Checks
          name="scopes"
          label={text.scopes}
          value={chosen}
          onChange={setChosen}
          required={frameTexts.get().chooseOne}
          options={scopes.map((value) => ({ value, text: text.scopeTexts[value], hint: <code>{value}</code> }))}
        />
      )}
    </ActDialog>
  );
}

async function createApiKey(name: string): Promise<string> {
  const { createApiKeyResult } = await graph.mutate('createApiKey', { name });
  return accepted(createApiKeyResult).key;
}

async function createDeveloperKey(name: string, chosen: readonly string[]): Promise<string> {
  const { createDeveloperKeyResult } = await graph.mutate('createDeveloperKey', { name, scopes: chosen });
  return accepted(createDeveloperKeyResult).key;
}

/** Shows the complete value of a new key, once. */
export function CreatedKey({ value, onClose }: { readonly value: string; readonly onClose: () => void }) {
  const { keys: text } = developerTexts.get();
  const { copy, copied, notCopied } = frameTexts.get();
  return (
    <Dialog title={text.createdTitle} isOpen isFirm onClose={onClose}>
      <p className="notice">{text.createdText}</p>
      <Secret label={text.prefix} value={value} copy={copy} copied={copied} failed={notCopied} />
      <div className="acts">
        <Button kind="main" onPress={onClose}>
          {text.done}
        </Button>
      </div>
    </Dialog>
  );
}
