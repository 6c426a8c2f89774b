import { CircleHelp, Menu as MenuIcon, Search } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components';
import type { Environment } from '../api/client/client.ts';
import { Badge, Kbd } from '../components/feedback/badge.tsx';
import { IconButton } from '../components/controls/button.tsx';
import { Menu } from '../components/overlays/menu.tsx';
import { paletteKey } from '../keyboard/shortcuts.ts';

export interface TopBarProps {
  environment: Environment;
  isDrawerOpen: boolean;
  onDrawer: () => void;
  onFind: () => void;
  onKeys: () => void;
}

export function TopBar({ environment, isDrawerOpen, onDrawer, onFind, onKeys }: TopBarProps) {
  return (
    <header className="top-bar">
      <span className="drawer-button">
        <IconButton label="Menu" large aria-expanded={isDrawerOpen} onPress={onDrawer}>
          <MenuIcon size={18} />
        </IconButton>
      </span>
      <AriaButton className="find" onPress={onFind}>
        <Search size={15} aria-hidden />
        <span>Search users, events, keys, pages</span>
        <Kbd>{paletteKey()}</Kbd>
      </AriaButton>
      <div className="top-bar-end">
        {environment === 'sandbox' && (
          <Badge tone="warn">
            <span>
              Sandbox<span className="long"> data</span>
            </span>
          </Badge>
        )}
        <Menu
          label="Help"
          icon={<CircleHelp size={16} />}
          entries={[
            { id: 'keys', label: 'Keyboard shortcuts', shortcut: '?', onAction: onKeys },
            { id: 'docs', label: 'API reference', onAction: () => void open('/docs', '_blank', 'noopener') },
          ]}
        />
      </div>
    </header>
  );
}
