import { Kbd } from '../components/feedback/badge.tsx';
import { Modal } from '../components/overlays/modal.tsx';
import { keyTable } from '../keyboard/shortcuts.ts';
import type { Place } from './navigation.ts';

/** All keyboard shortcuts. */
export function KeysHelp({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  return (
    <Modal title="Keyboard shortcuts" isOpen wide onClose={onClose}>
      <dl className="keys-table">
        {keyTable.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
        {places.map(({ label, letter }) => (
          <div key={letter}>
            <dt>Go to {label}</dt>
            <dd>
              <Kbd>g</Kbd> then <Kbd>{letter}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
