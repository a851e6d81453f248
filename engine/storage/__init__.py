"""Files: whole-file writing, strict JSON, free names, and where shipped data lies."""

from engine.storage.files import output_error, save_file, telling, write_file, write_new
from engine.storage.names import free_name, is_companion, numbered
from engine.storage.places import home_folder, user_folder
from engine.storage.regular_files import NotRegularError, open_regular, read_regular
from engine.storage.shipped import demo_model, shipped_resources, shipped_voices
from engine.storage.strict_json import parse_json, parse_object, read_object
