import { Button as AriaButton } from 'react-aria-components';
import { copyText } from '../../components/copy.tsx';

/** The upload that something came with; a click copies the whole id. */
export function BatchId({ id }: { id: string }) {
  return (
    <AriaButton
      className="batch-id"
      aria-label={`Copy the id of the batch, ${id}`}
      onPress={() => void copyText(id, 'The id of the batch was copied')}
    >
      <code>{id.slice(0, 13)}…</code>
    </AriaButton>
  );
}
