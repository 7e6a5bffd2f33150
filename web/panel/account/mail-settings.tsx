import { useState } from 'react';
import { Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { SelectInput } from '../../design/controls/fields.js';
import { Form, Loaded } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { Operations } from './graph/operations.js';
import { accountTexts } from './texts.js';

const languages = ['PT_BR', 'EN'] as const;
const digests = ['NONE', 'DAILY', 'WEEKLY'] as const;
type Settings = Operations['mailSettings']['data']['mailSettings'];

/** What the owner chose about the mails that the account gets. */
export function MailSettings() {
  const { mails: text } = accountTexts.get();
  const query = useQuery(graph, 'mailSettings', {});
  return (
    <Section id="mails" title={text.title}>
      <Loaded query={query}>{({ mailSettings }) => <Choice stored={mailSettings} />}</Loaded>
    </Section>
  );
}

function Choice({ stored }: { readonly stored: Settings }) {
  const { mails: text } = accountTexts.get();
  const action = useAction();
  const [language, setLanguage] = useState(stored.language);
  const [digest, setDigest] = useState(stored.digest);
  const [note, setNote] = useState('');
  return (
    <div className="limited">
      <Form
        action={action}
        fields={['language', 'digest']}
        label={text.title}
        onSubmit={() => {
          setNote('');
          void action.run(async () => {
            await graph.mutate('changeMailSettings', { language, digest });
            setNote(text.saved);
          });
        }}
      >
        <SelectInput
          name="language"
          label={text.language}
          hint={text.languageHint}
          value={language}
          onChange={(value) => {
            setLanguage(languages.find((one) => one === value) ?? language);
          }}
          options={languages.map((value) => ({ value, text: text.languages[value] }))}
        />
        <SelectInput
          name="digest"
          label={text.digest}
          hint={text.digestHint}
          value={digest}
          onChange={(value) => {
            setDigest(digests.find((one) => one === value) ?? digest);
          }}
          options={digests.map((value) => ({ value, text: text.digests[value] }))}
        />
        <div className="row">
          <Button type="submit" isBusy={action.isBusy}>
            {frameTexts.get().save}
          </Button>
          <span role="status">{note}</span>
        </div>
      </Form>
    </div>
  );
}
