// How servers say "no such mailbox" in languages other than English.
import { phrasesOf } from './phrases'

export const foreignPhrases: readonly string[] = [
  // French
  `n'existe pas | n'est pas répertorié | n'est pas repertorie | n'existe plus | adresse … invalide | adresse … inconnue | adresse … inexistante | utilisateur inconnu |
    utilisateur inexistant | destinataire inconnu | destinataire … invalide | destinataire inexistant | boite … inexistante |
    boîte … inexistante | compte inexistant | compte inconnu | introuvable | domaine … inexistant`,
  // Spanish, Portuguese
  `no existe | no se encontró | no se ha encontrado | no encontrado | no encontrada | usuario desconocido | usuario inexistente | usuario no encontrado | destinatario desconocido | destinatario inexistente |
    cuenta inexistente | cuenta desconocida | buzón inexistente | buzon inexistente | dirección inexistente | direccion inexistente |
    não existe | nao existe | não encontrado | não encontrada | nao encontrado | nao encontrada | usuário desconhecido | usuário inexistente | usuário não encontrado | destinatário desconhecido |
    destinatário inexistente | conta inexistente | conta não encontrada | caixa postal inexistente`,
  // Italian, Romanian
  `destinatario … sconosciuto | utente sconosciuto | utente inesistente | utente non | nessun utente | non esiste | indirizzo … non valido | casella inesistente |
    casella sconosciuta | indirizzo inesistente | indirizzo sconosciuto | utilizator necunoscut | utilizator inexistent | nu există`,
  // German, Dutch
  `unbekannter | mailbox unbekannt | benutzer … unbekannt | kein postfach | kein solcher | keine solche | adresse … nicht gefunden |
    empfängeradresse … nicht | empfaengeradresse … nicht | nicht … aufgeführt | nicht … aufgefuehrt | empfänger unbekannt | empfaenger unbekannt | benutzer unbekannt | adresse unbekannt | nicht bekannt | existiert nicht |
    existiert nicht mehr | postfach nicht gefunden | empfänger nicht gefunden | empfaenger nicht gefunden | onbekende | niet gevonden |
    gebruiker onbekend | adres onbekend | bestaat niet`,
  // Swedish, Norwegian, Danish, Finnish
  `okänd mottagare | okänd användare | finns inte | ukjent bruker | ukjent mottaker | finnes ikke | ukendt bruger | ukendt modtager |
    findes ikke | tuntematon`,
  // Polish, Czech, Slovak, Hungarian, Turkish
  `nieznany | nie znaleziono | nieznany odbiorca | nie ma takiego | brak konta | konto nie | brak takiego | nie istnieje | neexistuje | neznám | neznámy | ismeretlen | nem létezik | nem található |
    bulunamadı | bulunamadi | kullanıcı yok | mevcut değil`,
  // Russian, Ukrainian
  `не существует | несуществующ | не найден | нет такого | пользователь не | неизвестный | отсутствует | не існує | не знайдено`,
  // Japanese
  `存在しません | 存在しない | 見つかりません | 宛先不明 | 該当するユーザ | ディレクトリのリストにありません | あて先が不明`,
  // Chinese, Korean, Vietnamese
  `用户不存在 | 帐号不存在 | 账户不存在 | 账号不存在 | 邮箱不存在 | 收件人不存在 | 地址不存在 | 查无此 | 无此用户 | 没有此用户 | 未找到收件人 | 找不到收件人 | 找不到用户 |
    无效的收件人 | 收件人无效 | 没有这个用户 | 無此帳號 | 無此使用者 | 查無此 |
    使用者不存在 | 信箱不存在 | 존재하지 않 | 찾을 수 없 | không tồn tại`,
].flatMap(phrasesOf)
