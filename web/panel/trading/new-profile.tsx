import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { TextInput } from '../../design/controls/fields.js';
import { accepted } from '../frame/failure.js';
import { Form, textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { tradingTexts } from './texts.js';

/** Characters of a CPF without punctuation; a CNPJ has 14. */
const cpfLength = 11;

/** Creates a profile: a person of the company's, with wallets of its own. */
export function NewProfile(props: {
  readonly synthetic: boolean;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}) {
  const { synthetic, onClose, onCreated } = props;
  const { wallet: text } = tradingTexts.get();
  const action = useAction();
  return (
    <Dialog title={text.newProfile} isOpen onClose={onClose}>
      <Form
        action={action}
        fields={['name', 'document', 'email']}
        label={text.newProfile}
        onSubmit={(values) => {
          const document = textOf(values, 'document').replace(/[\s./-]/g, '');
          void action.run(async () => {
            const { createProfileResult } = await graph.mutate('createProfile', {
              synthetic,
              name: textOf(values, 'name').trim(),
              document,
              documentType: document.length > cpfLength ? 'CNPJ' : 'CPF',
              email: textOf(values, 'email').trim(),
            });
            onCreated(accepted(createProfileResult).id);
          });
        }}
      >
        <TextInput name="name" label={text.name} maxLength={200} isRequired />
        <TextInput name="document" label={text.document} autoComplete="off" maxLength={20} isRequired />
        <TextInput name="email" type="email" label={text.email} maxLength={254} isRequired />
        <div className="acts">
          <Button onPress={onClose}>{frameTexts.get().cancel}</Button>
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            {text.create}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
