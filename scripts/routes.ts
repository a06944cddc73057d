// Writes the table of who may call which route: `bun scripts/routes.ts`.
import { routeTable, tableFile } from '../test/support/routes'

await Bun.write(tableFile, routeTable())
