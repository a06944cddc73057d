// Confirmations that were used. The token itself says what it confirms and until when; a row says that it did.
import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { time } from '../../../platform/db/columns'

export const mcpConfirmations = pgTable(
  'mcp_confirmations',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  confirmation => [
    primaryKey({ name: 'mcp_confirmations_pkey', columns: [confirmation.projectId, confirmation.id] }),
    index('mcp_confirmations_expires').on(confirmation.projectId, confirmation.expiresAt),
  ],
)
