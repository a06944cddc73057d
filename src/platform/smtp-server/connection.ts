// One conversation in SMTP. The library leads it; what it takes too literally is mended before it sees it.
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import type { CpuThrottle } from '../../lib/cpu-throttle'
import { readableCommand, unservedCommands } from './commands'
import { feedMessage } from './dots'

export class PatientConnection extends SMTPConnection {
  readonly #throttle: CpuThrottle

  /** `throttle` runs the pieces of long messages. */
  constructor(
    ...[server, socket, options, throttle]: [...ConstructorParameters<typeof SMTPConnection>, CpuThrottle]
  ) {
    super(server, socket, options)
    this.#throttle = throttle
  }

  override _createParser(): SMTPStream {
    const parser = super._createParser()
    const begin = parser._feedDataStream
    parser._feedDataStream = (chunk, done) => {
      if (parser._atDataStart) begin.call(parser, chunk, done)
      else feedMessage(parser, chunk, this.#throttle, done)
    }
    return parser
  }

  override _onCommand(command: Buffer, callback?: () => void): void {
    // In the middle of signing in, a line is no command.
    if (this._nextHandler) {
      super._onCommand(command, callback)
      return
    }
    const line = readableCommand(command.toString('latin1'))
    const name = line.split(' ', 1)[0]!.toUpperCase()
    const isServed = !unservedCommands.has(name) && !this._isDisabled(name)
    if (isServed || this._upgrading || !this._ready) {
      super._onCommand(Buffer.from(line, 'latin1'), callback)
      return
    }
    this.#refuse(name)
    setImmediate(() => this._whenWritable(callback ?? (() => {})))
  }

  /** A key in plain text would be known to others already, so it is not asked for. */
  #refuse(name: string): void {
    this._unrecognizedCommands++
    if (this._unrecognizedCommands >= 10) this.send(421, 'Error: too many unrecognized commands')
    else if (name === 'AUTH' && !this._server.options.disabledCommands?.includes(name))
      this.send(530, 'Must issue a STARTTLS command first')
    else this.send(502, 'Error: this command is not served here')
  }
}
