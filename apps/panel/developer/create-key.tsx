import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { Checks, SelectInput, TextInput } from '../../design/controls/fields.js';
import { Secret } from '../../design/controls/secret.js';
import { accepted } from '../frame/failure.js';
import { Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { developerTexts } from './texts.js';

const scopes = ['contracts:read', 'credit:read', 'webhooks:read', 'webhooks:write'] as const;

export interface CreateKeyProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** Creates a key, and shows it once. */
export function CreateKey({ isOpen, onClose, onCreated }: CreateKeyProps) {
  const { keys: text } = developerTexts.get();
  const [key, setKey] = useState<string>();
  return (
    <Dialog
      title={key === undefined ? text.create : text.createdTitle}
      isOpen={isOpen}
      isFirm={key !== undefined}
      onClose={onClose}
    >
      {key === undefined ? (
        <CreateForm
          onClose={onClose}
          onCreated={(created) => {
            setKey(created);
            onCreated();
          }}
        />
      ) : (
        <CreatedKey
          value={key}
          onClose={() => {
            setKey(undefined);
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

function CreateForm({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}) {
  const { keys: text } = developerTexts.get();
  const action = useAction();
  const [kind, setKind] = useState('api');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return (
    <Form
      action={action}
      fields={['name', 'scopes']}
      onSubmit={(values) => {
        const name = textOf(values, 'name');
        void action.run(async () => {
          onCreated(kind === 'api' ? await createApiKey(name) : await createDeveloperKey(name, chosen));
        });
      }}
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
      <div className="acts">
        <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
        <Button kind="main" type="submit" isBusy={action.isBusy}>
          {text.create}
        </Button>
      </div>
    </Form>
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
    <>
      <p className="notice">{text.createdText}</p>
      <Secret label={text.prefix} value={value} copy={copy} copied={copied} failed={notCopied} />
      <div className="acts">
        <Button kind="main" onPress={onClose}>
          {text.done}
        </Button>
      </div>
    </>
  );
}
