"""What hooks are told and what they return. Made when the first hook fires, or when the plugin imports them."""

from .manifest import REQUIRED, record


@record
class BlockAction:
    """Returned from a `pre_tool_call` hook: the tool does not run, the model reads the message."""

    __module__ = "flowly.agent.hooks"
    _defaults = {"message": REQUIRED}

    def __init__(self, message):
        self.message = message


@record
class RewriteAction:
    """Returned from a `pre_gateway_dispatch` hook: the message gets another text."""

    __module__ = "flowly.agent.hooks"
    _defaults = {"text": REQUIRED}

    def __init__(self, text):
        self.text = text


@record
class SkipAction:
    """Returned from a `pre_gateway_dispatch` hook: the message is dropped."""

    __module__ = "flowly.agent.hooks"
    _defaults = {"reason": ""}

    def __init__(self, reason=""):
        self.reason = reason


@record
class HookContext:
    """What a hook is told. Plugins may put attributes of their own on it."""

    __module__ = "flowly.agent.hooks"
    _defaults = {"session_id": "", "task_id": ""}

    def __init__(self, session_id="", task_id=""):
        self.session_id = session_id
        self.task_id = task_id


@record
class ToolHookContext(HookContext):
    """Of a tool call; the same object for all hooks of one call."""

    __module__ = "flowly.agent.hooks"
    _defaults = dict(
        HookContext._defaults,
        tool_name="",
        params={},
        tool_call_id="",
        result=None,
        duration_ms=0.0,
        success=None,
    )

    def __init__(
        self,
        session_id="",
        task_id="",
        tool_name="",
        params=None,
        tool_call_id="",
        result=None,
        duration_ms=0.0,
        success=None,
    ):
        HookContext.__init__(self, session_id, task_id)
        self.tool_name = tool_name
        self.params = {} if params is None else params
        self.tool_call_id = tool_call_id
        self.result = result
        self.duration_ms = duration_ms
        self.success = success


@record
class LLMHookContext(HookContext):
    """Of a call of the model."""

    __module__ = "flowly.agent.hooks"
    _defaults = dict(
        HookContext._defaults,
        model="",
        messages=[],
        tools=[],
        system="",
        user_message="",
        response=None,
        assistant_message="",
        usage={},
        truncated=False,
        interrupted=False,
    )

    def __init__(
        self,
        session_id="",
        task_id="",
        model="",
        messages=None,
        tools=None,
        system="",
        user_message="",
        response=None,
        assistant_message="",
        usage=None,
        truncated=False,
        interrupted=False,
    ):
        HookContext.__init__(self, session_id, task_id)
        self.model = model
        self.messages = [] if messages is None else messages
        self.tools = [] if tools is None else tools
        self.system = system
        self.user_message = user_message
        self.response = response
        self.assistant_message = assistant_message
        self.usage = {} if usage is None else usage
        self.truncated = truncated
        self.interrupted = interrupted


@record
class SessionHookContext(HookContext):
    """Of a conversation that begins or a turn that ends."""

    __module__ = "flowly.agent.hooks"
    _defaults = dict(HookContext._defaults, model="", platform="", completed=True, interrupted=False)

    def __init__(self, session_id="", task_id="", model="", platform="", completed=True, interrupted=False):
        HookContext.__init__(self, session_id, task_id)
        self.model = model
        self.platform = platform
        self.completed = completed
        self.interrupted = interrupted


@record
class SubagentStopContext(HookContext):
    """Of a helper of the agent that ended. Nothing fires it."""

    __module__ = "flowly.agent.hooks"
    _defaults = dict(HookContext._defaults, subagent_id="", reason="")

    def __init__(self, session_id="", task_id="", subagent_id="", reason=""):
        HookContext.__init__(self, session_id, task_id)
        self.subagent_id = subagent_id
        self.reason = reason


@record
class GatewayDispatchContext(HookContext):
    """Of a message that comes in."""

    __module__ = "flowly.agent.hooks"
    _defaults = dict(HookContext._defaults, event=None, gateway=None, session_store=None)

    def __init__(self, session_id="", task_id="", event=None, gateway=None, session_store=None):
        HookContext.__init__(self, session_id, task_id)
        self.event = event
        self.gateway = gateway
        self.session_store = session_store


@record
class InboundMessage:
    """A message that comes in; its content may be edited in place."""

    __module__ = "flowly.bus.events"
    _defaults = {"channel": "", "sender_id": "", "chat_id": "", "content": "", "metadata": {}}

    def __init__(self, channel="", sender_id="", chat_id="", content="", metadata=None):
        self.channel = channel
        self.sender_id = sender_id
        self.chat_id = chat_id
        self.content = content
        self.metadata = {} if metadata is None else metadata

    @property
    def session_key(self):
        """The name of the conversation in Flowly."""
        return "%s:%s" % (self.channel, self.chat_id)


TOOL_EVENTS = ("pre_tool_call", "post_tool_call", "transform_tool_result", "transform_terminal_output")
_BY_EVENT = {
    **dict.fromkeys(TOOL_EVENTS, ToolHookContext),
    **dict.fromkeys(("pre_llm_call", "post_llm_call", "pre_api_request", "post_api_request"), LLMHookContext),
    **dict.fromkeys(
        ("on_session_start", "on_session_end", "on_session_finalize", "on_session_reset"), SessionHookContext
    ),
    "subagent_stop": SubagentStopContext,
    "pre_gateway_dispatch": GatewayDispatchContext,
}


def context_class(event):
    """The class of the context of an event; the plain one for names that Flowly does not know."""
    return _BY_EVENT.get(event, HookContext)
