// The thread that renders (src/render-worker.ts) with a tenth of the processor's time for each template.
import { fullAllowance } from '../../src/liquid/meter'

fullAllowance.ms /= 10
await import('../../src/render-worker')
