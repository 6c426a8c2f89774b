import { Button as AriaButton } from 'react-aria-components';
import { copyText } from '../../components/feedback/copy.tsx';

/** The upload that a value came with. A click copies the full id. */
export function BatchId({ id }: { id: string }) {
  return (
    <AriaButton
      className="batch-id"
      aria-label={`Copy batch ID ${id}`}
      onPress={() => void copyText(id, 'Batch ID copied')}
    >
      <code>{id.slice(0, 13)}…</code>
    </AriaButton>
  );
}
