import { useRouter } from '@tanstack/react-router';
import { PageHead } from '../frame/parts.js';
import { ProofForm } from '../frame/proof-form.js';
import { logOut } from '../frame/session.js';
import { accountTexts } from './texts.js';

/** Asks for the second factor of a session that has proved the first. */
export function SecondFactor() {
  const { secondFactor: text } = accountTexts.get();
  const router = useRouter();
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      <ProofForm
        onDone={() => {
          void router.invalidate();
        }}
        onCancel={() => {
          void logOut();
        }}
      />
    </>
  );
}
