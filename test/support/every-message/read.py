# Reads messages by Python's email package, strictly, and verifies their signatures with dkimpy. Arguments: a folder with NAME.eml, what was
# handed in as NAME.in where its parts have to be the same, and keys.json. Answers a line of JSON for each.
import email, email.policy, email.utils, glob, hashlib, json, os, sys
from email.header import decode_header, make_header

try:
    import dkim
except ImportError:
    dkim = None

folder = sys.argv[1]
with open(os.path.join(folder, "keys.json")) as file:
    keys = json.load(file)


def key_of(name, timeout=5):
    return keys.get(name.decode().rstrip("."), "").encode()


def defects_of(message):
    found = []
    for part in message.walk():
        found += [f"{part.get_content_type()}: {type(defect).__name__}" for defect in part.defects]
        for name in part.keys():
            for value in part.get_all(name):
                found += [f"{name}: {type(defect).__name__}" for defect in getattr(value, "defects", [])]
    return found


def sha(content):
    return hashlib.sha256(content).hexdigest()


# A header that is an encoded word for some reader and text for another would be a difference, so both are read with the same rules.
def content_of(part):
    if part.get_content_maintype() == "message" and part.is_multipart():
        return part.get_payload(0).as_bytes(policy=email.policy.SMTP.clone(refold_source="none"))
    return part.get_payload(decode=True) or b""


def parts_of(message):
    return [
        [part.get_content_type(), sorted(map(list, part.get_params([]))), part.get_filename(), sha(content_of(part))]
        for part in message.walk()
        if not part.is_multipart()
    ]


def files_of(message):
    return [[part.get_filename(), sha(content_of(part))] for part in message.walk() if part.get_content_disposition()]


def body_of(message, subtype):
    part = message.get_body(preferencelist=(subtype,))
    return part.get_payload(decode=True).decode(part.get_content_charset("utf-8")) if part else ""


# The newer reader of addresses leaves a blank between two encoded words of a name (RFC 2047, 6.2), and the older one gives up on some quotes.
def people(raw, message, name):
    written = str(email.message_from_bytes(raw, policy=email.policy.compat32)[name])
    if "=?utf-8?" not in written.lower():
        return [[one.display_name, one.addr_spec] for one in message[name].addresses]
    return [[str(make_header(decode_header(shown))), address] for shown, address in email.utils.getaddresses([written])]


for path in sorted(glob.glob(os.path.join(folder, "*.eml"))):
    with open(path, "rb") as file:
        raw = file.read()
    answer = {"name": os.path.basename(path)[:-4], "defects": []}
    try:
        message = email.message_from_bytes(raw, policy=email.policy.strict)
        answer["subject"] = str(message["subject"])
        answer["from"] = people(raw, message, "from")
        answer["to"] = people(raw, message, "to")
        answer["defects"] = defects_of(message)
        answer["files"] = files_of(message)
        answer["html"], answer["text"] = body_of(message, "html"), body_of(message, "plain")
        submitted = path[:-4] + ".in"
        if os.path.exists(submitted):
            with open(submitted, "rb") as file:
                before = email.message_from_bytes(file.read(), policy=email.policy.default)
            answer["same"] = parts_of(before) == parts_of(message)
    except Exception as error:
        answer["defects"] = [f"{type(error).__name__}: {error}"]
    if dkim:
        try:
            answer["signed"] = dkim.DKIM(raw, minkey=1024).verify(dnsfunc=key_of)
        except dkim.DKIMException:
            answer["signed"] = False
    print(json.dumps(answer))
